import ipaddr from 'ipaddr.js';

const prefixBits = 64;

/** Whom an address belongs to, as far as it can be told: an IPv4 address is one caller, an IPv6 network of 64 bits is. */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${prefixBits}`).toString();
};
