import { BlockList, isIP, type LookupFunction } from 'node:net';
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { z } from 'zod';
import type { MakeRequest } from './exchange.ts';

/**
 * documentation: unassigned, for examples. special: of the Internet's own machinery (protocol assignments, benchmarks,
 * translations that reach an IPv4 address). private: of a private network, this machine, a carrier, or no single machine.
 */
type Kind = 'loopback' | 'private' | 'documentation' | 'special';

type Network = readonly [network: string, prefix: number, kind: Kind];

// The special-purpose registries of IANA: https://www.iana.org/assignments/iana-ipv4-special-registry and its IPv6 one.
const ipv4: readonly Network[] = [
  ['0.0.0.0', 8, 'private'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'private'], // behind a carrier's NAT
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'private'], // link-local, with the metadata services of clouds
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'special'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, 'special'], // 6to4 relays
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'special'], // benchmarks
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 3, 'private'], // multicast, reserved, broadcast
];
const ipv6: readonly Network[] = [
  ['::1', 128, 'loopback'],
  ['::', 128, 'private'],
  ['fc00::', 7, 'private'], // unique local, with the metadata service fd00:ec2::254
  ['fe80::', 10, 'private'], // link-local
  ['ff00::', 8, 'private'], // multicast
  ['2001:db8::', 32, 'documentation'],
  ['3fff::', 20, 'documentation'],
  ['2001::', 23, 'special'], // protocol assignments, with Teredo
  ['2002::', 16, 'special'], // 6to4, which reaches an IPv4 address
];
const families = { ipv4, ipv6 } as const;
type Family = keyof typeof families;

/** As `network/prefix`, all that no platform and no partner is at. Besides, only `2000::/3` is assigned for single machines. */
export const excludedNetworks = {
  ipv4: ipv4.map(([network, prefix]) => `${network}/${prefix}`),
  ipv6: ipv6.map(([network, prefix]) => `${network}/${prefix}`),
} as const;

const listOf = (family: Family, networks: readonly Network[]): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
};

const lists = (['ipv4', 'ipv6'] as const).flatMap((family) =>
  (['loopback', 'private', 'documentation', 'special'] as const).map((kind) => ({
    family,
    kind,
    list: listOf(
      family,
      families[family].filter(([, , of]) => of === kind),
    ),
  })),
);

// all that is assigned for single machines; NAT64, mapped and compatible IPv4 addresses and all else is outside
const unicast = listOf('ipv6', [['2000::', 3, 'special']]);

const mappedIpv4 = /^::ffff:(?<address>[\d.]+)$/i;

/** Writes an IPv4-mapped address (`::ffff:192.0.2.1`) as IPv4. */
export const plainAddress = (address: string): string => mappedIpv4.exec(address)?.groups?.['address'] ?? address;

/**
 * What an IP address is for. `undefined`: it is none. One with a zone, as in fe80::1%eth0, is valid on one machine only:
 * private.
 */
export const addressKind = (written: string): Kind | 'public' | undefined => {
  const version = isIP(written);
  if (version === 0) return undefined;
  if (written.includes('%')) return 'private';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  // in hexadecimal, too, BlockList finds an IPv4-mapped address in the lists for IPv4
  const found = lists.find(({ family: of, list }) => (of === family || version === 6) && list.check(written, family));
  if (found !== undefined) return found.kind;
  return version === 6 && !unicast.check(written, family) ? 'special' : 'public';
};

export interface EgressOptions {
  /** Whether this machine may be reached, also without TLS: for tests. */
  readonly allowLoopback: boolean;
  /** Which ports of other machines may be reached. Default: `defaultPorts`. */
  readonly ports?: readonly number[];
}

/** Those of HTTPS: a webhook to any other one would tell its partner what listens there. */
export const defaultPorts: readonly number[] = [443, 8443];

/** A code of a refused connection: see `problems`. */
export type ProblemCode =
  | 'PRIVATE_ADDRESS'
  | 'HTTPS_REQUIRED'
  | 'URL_HAS_CREDENTIALS'
  | 'PORT_NOT_ALLOWED'
  | 'URL_INVALID'
  | 'OWN_HOST'
  | 'NAME_NOT_FOUND';

interface Attempt extends EgressOptions {
  readonly isSecure: boolean;
  readonly port: number;
}

/** Why there is no connection to an address; undefined if there may be one. */
const addressProblem = (
  address: string,
  { allowLoopback, isSecure, port, ports = defaultPorts }: Attempt,
): ProblemCode | undefined => {
  const kind = addressKind(address);
  if (kind === 'loopback' && allowLoopback) return undefined;
  if (kind !== 'public') return 'PRIVATE_ADDRESS';
  if (!isSecure) return 'HTTPS_REQUIRED';
  return ports.includes(port) ? undefined : 'PORT_NOT_ALLOWED';
};

interface ReadUrl {
  readonly url: URL;
  readonly isSecure: boolean;
  readonly port: number;
  /** The host if it is an IP address, without the brackets of IPv6. */
  readonly address: string | undefined;
}

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/**
 * Reads a URL that partners gave and judges all of it that needs no DNS. `URL` has brought every way of writing an IPv4
 * address (0x7f.1, 2130706433) to the usual one.
 */
export const readUrl = (text: string, options: EgressOptions): ReadUrl | { readonly problem: ProblemCode } => {
  const url = parse(text);
  if (url === undefined || url.hostname === '') return { problem: 'URL_INVALID' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'HTTPS_REQUIRED' };
  if (url.username !== '' || url.password !== '') return { problem: 'URL_HAS_CREDENTIALS' };
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  if (!isSecure && !options.allowLoopback) return { problem: 'HTTPS_REQUIRED' };
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) === 0) {
    // with the setting for tests, the port matters if the name is of another machine
    const isRefused = !options.allowLoopback && !(options.ports ?? defaultPorts).includes(port);
    return isRefused ? { problem: 'PORT_NOT_ALLOWED' } : { url, isSecure, port, address: undefined };
  }
  const problem = addressProblem(host, { ...options, isSecure, port });
  return problem === undefined ? { url, isSecure, port, address: host } : { problem };
};

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
const permittedAddresses = async (
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
const checkedLookup =
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

/**
 * Requests URLs that somebody outside has given, at hosts that may be reached. Each request resolves the host name again, checks all its
 * addresses, and connects to one that it has checked; `request` must keep no connection open, which would be used past the check.
 */
export const checkedRequest =
  (request: MakeRequest, { resolve, ...egress }: EgressOptions & { readonly resolve: Resolve }): MakeRequest =>
  async (method, content) => {
    const read = readUrl(content.url, egress);
    if ('problem' in read) return { kind: 'unreachable', code: read.problem };
    const { url, isSecure, port } = read;
    const dnsLookup = checkedLookup({ ...egress, isSecure, port, resolve });
    return request(method, { ...content, url: url.href, dnsLookup });
  };

const problems: Readonly<Record<ProblemCode, string>> = {
  URL_INVALID: 'expected a URL, such as https://shop.example/leadback',
  HTTPS_REQUIRED: 'expected a URL that begins with https://',
  URL_HAS_CREDENTIALS: 'must not contain a user name or password; requests are signed instead',
  PORT_NOT_ALLOWED: 'the port is not allowed; use port 443',
  PRIVATE_ADDRESS: 'the host is or resolves to an address that is not public',
  OWN_HOST: 'the host belongs to Leadback itself',
  NAME_NOT_FOUND: 'the host name does not resolve',
};

interface CheckOptions extends EgressOptions {
  /** Host names of this installation, in lower case. */
  readonly ownHosts: readonly string[];
  /** Default: DNS. */
  readonly resolve?: Resolve;
}

const problemOf = async (
  text: string,
  { ownHosts, resolve = resolveHost, ...egress }: CheckOptions,
): Promise<ProblemCode | undefined> => {
  const read = readUrl(text, egress);
  if ('problem' in read) return read.problem;
  const host = read.url.hostname.replace(/\.$/, '');
  if (ownHosts.includes(host)) return 'OWN_HOST';
  if (read.address !== undefined) return undefined;
  try {
    await permittedAddresses(host, { ...egress, isSecure: read.isSecure, port: read.port, resolve });
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'PRIVATE_ADDRESS' || code === 'HTTPS_REQUIRED' || code === 'PORT_NOT_ALLOWED'
      ? code
      : 'NAME_NOT_FOUND';
  }
};

/**
 * Why a URL cannot be that of a webhook, as a message about the field; undefined if it can. Resolves the host name. Every
 * attempt checks it again: this only tells the partner early.
 */
export const checkWebhookUrl = async (text: string, options: CheckOptions): Promise<string | undefined> => {
  const problem = await problemOf(text, options);
  return problem && problems[problem];
};

const portsMessage = 'expected ports with commas, such as 443,8443';

/** Part of the settings of every app that checks or calls webhooks. */
export const egressSettings = {
  WEBHOOKS_ALLOW_LOOPBACK: z
    .stringbool()
    .default(false)
    .describe('`true`: webhooks may be on this machine, also without TLS; for tests only'),
  WEBHOOKS_PORTS: z
    .string()
    .transform((list) => list.split(',').map(Number))
    .pipe(z.array(z.number(portsMessage).int(portsMessage).min(1, portsMessage).max(65_535, portsMessage)))
    .default([...defaultPorts])
    .describe('Ports that webhooks may have'),
};

const given = z.object({
  WEBHOOKS_ALLOW_LOOPBACK: z.boolean().default(false),
  WEBHOOKS_PORTS: z.array(z.number()).default([...defaultPorts]),
});

/** Of settings that were read with `egressSettings`; without them, as in production. */
export const egressOf = (settings: Readonly<Record<string, unknown>>): Required<EgressOptions> => {
  const { WEBHOOKS_ALLOW_LOOPBACK: allowLoopback, WEBHOOKS_PORTS: ports } = given.parse(settings);
  return { allowLoopback, ports };
};
