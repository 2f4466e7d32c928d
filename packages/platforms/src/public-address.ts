import { BlockList, isIP } from 'node:net';

// The special-purpose addresses of RFC 6890 that no visitor on the Internet can have. Those for documentation stay
// allowed: they are unassigned, and tests use them.
const networks = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'], // behind a carrier's NAT
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'], // multicast, reserved, broadcast
  ['::', 128, 'ipv6'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'], // unique local
  ['fe80::', 10, 'ipv6'], // link-local
  ['ff00::', 8, 'ipv6'],
] as const;

const notPublic = new BlockList();
for (const [network, prefix, version] of networks) notPublic.addSubnet(network, prefix, version);

const mappedIpv4 = /^::ffff:(?<address>[\d.]+)$/i;

/**
 * The IP address in the form for platforms: an IPv4-mapped one as IPv4. `undefined` if it is invalid or of a private
 * network, which is a proxy that is not trusted.
 */
export const publicAddress = (written: string): string | undefined => {
  const address = mappedIpv4.exec(written)?.groups?.['address'] ?? written;
  const version = isIP(address);
  // a zone, as in fe80::1%eth0, is valid on one machine only
  if (version === 0 || address.includes('%')) return undefined;
  // BlockList also matches the hexadecimal form of IPv4-mapped addresses
  return notPublic.check(address, version === 4 ? 'ipv4' : 'ipv6') ? undefined : address;
};
