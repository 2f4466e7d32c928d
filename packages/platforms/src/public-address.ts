import { BlockList, isIP } from 'node:net';

// The special-purpose addresses of RFC 6890 that can be no visitor's on the Internet. Those for documentation stay allowed:
// nobody has them, and tests need some.
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
 * The address as the platforms want it, an IPv4-mapped one in the plain form; `undefined` for what is no address, or one
 * of a private network: behind a proxy that is not trusted that is the proxy's.
 */
export const publicAddress = (written: string): string | undefined => {
  const address = mappedIpv4.exec(written)?.groups?.['address'] ?? written;
  const version = isIP(address);
  // a zone, as in fe80::1%eth0, means something to one machine alone
  if (version === 0 || address.includes('%')) return undefined;
  // BlockList reads IPv4-mapped addresses in their hexadecimal form as well
  return notPublic.check(address, version === 4 ? 'ipv4' : 'ipv6') ? undefined : address;
};
