import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { type LookupFunction } from 'node:net';
import { addressProblem, type Attempt, type ProblemCode } from './address-problem.ts';

/** All addresses of a host name. Rejects if there are none. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export const resolveHost: Resolve = (host) =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

class RefusedAddress extends Error {
  readonly code: ProblemCode;
  constructor(code: ProblemCode) {
    super(code);
    this.code = code;
  }
}

/** Throws if the name has no address, or one to which there is no connection: then none of them is used. */
export const permittedAddresses = async (
  host: string,
  options: Attempt & { readonly resolve: Resolve },
): Promise<readonly [LookupAddress, ...LookupAddress[]]> => {
  const addresses = await options.resolve(host);
  for (const { address } of addresses) {
    const problem = addressProblem(address, options);
    if (problem !== undefined) throw new RefusedAddress(problem);
  }
  const [first, ...others] = addresses;
  if (first === undefined) throw new RefusedAddress('NAME_NOT_FOUND');
  return [first, ...others];
};

/**
 * The lookup of one connection: it resolves the name, checks every address, and gives the socket exactly those that it
 * has checked, so that the name cannot mean another one by then. A host that is an IP address is never looked up: see
 * `readUrl`.
 */
export const checkedLookup =
  (options: Attempt & { readonly resolve: Resolve }): LookupFunction =>
  (host: string, { all, family }: LookupOptions, callback) => {
    const find = async () => {
      const addresses = await permittedAddresses(host, options);
      const wanted = addresses.filter((one) => (family !== 4 && family !== 6) || one.family === family);
      return wanted.length > 0 ? wanted : addresses;
    };
    void (async () => {
      try {
        const found = await find();
        if (all === true) callback(null, [...found]);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), []);
      }
    })();
  };
