import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

const prefixBits = 64;

/** The network that counts as one caller: a whole IPv4 address, or the first 64 bits of an IPv6 address. */
export const networkOf = (address: string): string => {
  if (isIPv4(address) || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${prefixBits}`).toString();
};
