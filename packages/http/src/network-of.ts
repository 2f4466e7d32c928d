import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

const wide = (address: ipaddr.IPv6, bits: number): string =>
  ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString();

/** The network that counts as one caller: a whole IPv4 address, or the first 64 bits of an IPv6 address. */
export const networkOf = (address: string): string => {
  if (isIPv4(address) || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : wide(ipaddr.IPv6.parse(address), 64);
};

/**
 * The networks of an address from that of one caller to the widest that one customer of a provider may have: /64, /56 and
 * /48 of IPv6, the address and /24 of IPv4.
 */
export const networksOf = (address: string): readonly string[] => {
  const own = networkOf(address);
  if (isIPv4(own)) return [own, `${own.slice(0, own.lastIndexOf('.'))}.0/24`];
  if (!ipaddr.IPv6.isValid(own)) return [own];
  const parsed = ipaddr.IPv6.parse(own);
  return [own, `${wide(parsed, 56)}/56`, `${wide(parsed, 48)}/48`];
};
