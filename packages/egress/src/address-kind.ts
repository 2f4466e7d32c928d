import { BlockList, isIP } from 'node:net';

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
