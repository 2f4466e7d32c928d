import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { DnsRecord, DomainFinding } from '@leadback/domain';
import { isApex } from './name.ts';

/** No server answered, or one could not: nothing is known. */
export class DnsUnavailable extends Error {
  override readonly name = 'DnsUnavailable';
}

const timeoutMs = 2_000;
const tries = 2;

/** Asks the name servers of this machine, or the one at `server` (`HOST:PORT`). */
export const dnsResolver = (server?: string): Resolver => {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (server !== undefined) resolver.setServers([server]);
  return resolver;
};

const nothing = ['ENOTFOUND', 'ENODATA'];

/** What a look-up finds; an empty list if there is no such record. Throws `DnsUnavailable`. */
const found = async <Found>(lookUp: Promise<Found[]>): Promise<Found[]> => {
  try {
    return await lookUp;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'error';
    if (nothing.includes(code)) return [];
    throw new DnsUnavailable(code);
  }
};

const addressesOf = async (dns: Resolver, host: string): Promise<string[]> => {
  if (isIP(host) !== 0) return [host];
  return (await Promise.all([found(dns.resolve4(host)), found(dns.resolve6(host))])).flat();
};

const bare = (name: string): string => name.toLowerCase().replace(/\.$/, '');

const aliasesMax = 8;

/** The names for which a name is another one, one after the other, until there is no more, or `last`. */
const aliasesOf = async (dns: Resolver, name: string, last: string): Promise<string[]> => {
  const aliases: string[] = [];
  for (let at = name; at !== last && aliases.length < aliasesMax; ) {
    const [next] = await found(dns.resolveCname(at));
    if (next === undefined) break;
    at = bare(next);
    aliases.push(at);
  }
  return aliases;
};

/** The host of landing, and its addresses. */
export interface LandingHost {
  readonly host: string;
  readonly addresses: readonly string[];
}

const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** Its addresses are an empty list if DNS does not tell them. */
export const findLandingHost = async (dns: Resolver, landingUrl: string): Promise<LandingHost> => {
  const host = unbracketed(new URL(landingUrl).hostname);
  return { host, addresses: await addressesOf(dns, host).catch(() => []) };
};

/** The same for the records of these names: DNS is asked only if one of them needs an address. */
export const landingHostFor = async (
  dns: Resolver,
  landingUrl: string,
  names: readonly string[],
): Promise<LandingHost> => {
  const host = unbracketed(new URL(landingUrl).hostname);
  return isIP(host) !== 0 || names.some(isApex) ? findLandingHost(dns, landingUrl) : { host, addresses: [] };
};

/** The record with which a name leads to landing. */
export const recordFor = (name: string, { host, addresses }: LandingHost): DnsRecord => {
  const isName = isIP(host) === 0;
  if (isName && !isApex(name)) return { type: 'CNAME', host: name, value: host };
  const [address = `the address of ${host}`] = addresses.toSorted((one, other) => isIP(one) - isIP(other));
  return { type: isIP(address) === 6 ? 'AAAA' : 'A', host: name, value: address };
};

/** The record with which an account proves that a name is its own. */
export const proofRecord = (name: string, token: string): DnsRecord => ({
  type: 'TXT',
  host: `_leadback.${name}`,
  value: `leadback=${token}`,
});

/** Whether DNS has the record that proves whose a name is. Throws `DnsUnavailable`. */
export const isProved = async (dns: Resolver, { host, value }: DnsRecord): Promise<boolean> =>
  (await found(dns.resolveTxt(host))).some((parts) => parts.join('').trim() === value);

/**
 * What is wrong with the records of a name; undefined: it leads to landing. Throws `DnsUnavailable`, also if DNS does not tell where
 * landing is.
 */
export const findDnsProblem = async (
  dns: Resolver,
  name: string,
  { host, addresses: own }: LandingHost,
): Promise<DomainFinding | undefined> => {
  const aliases = await aliasesOf(dns, name, host);
  const alias = aliases.at(-1);
  if (alias === host) return undefined;
  const addresses = await addressesOf(dns, name);
  if (alias === undefined && addresses.length === 0) return { kind: 'missing' };
  if (own.length === 0) throw new DnsUnavailable(`${host} has no address`);
  const others = addresses.filter((address) => !own.includes(address));
  if (addresses.length > 0 && others.length === 0) return undefined;
  if (others.length < addresses.length) return { kind: 'some-other-addresses', addresses: others };
  return alias === undefined
    ? { kind: 'other-addresses', addresses: others }
    : { kind: 'other-name', name: aliases[0] ?? alias, addresses: others };
};

/** Says what is wrong, and what to do, in a full sentence. */
export const describeFinding = (finding: DomainFinding, { type, host, value }: DnsRecord): string => {
  const create = `create the record ${host} ${type} ${value}`;
  const direct =
    'If a proxy such as Cloudflare is in front, let this record bypass it (DNS only): Leadback would take the proxy for the visitor.';
  switch (finding.kind) {
    case 'missing':
      return `DNS has no record for ${host}: ${create}.`;
    case 'other-name':
      return `${host} is a CNAME of ${finding.name}, which is not landing: ${create} instead. ${direct}`;
    case 'other-addresses':
      return `${host} resolves to other addresses: ${finding.addresses.join(', ')}. Delete these records, and ${create}. ${direct}`;
    case 'some-other-addresses':
      return `${host} also resolves to other addresses: ${finding.addresses.join(', ')}. Delete these records (type A or AAAA): some visitors get there.`;
  }
};
