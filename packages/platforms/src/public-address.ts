import { addressKind, plainAddress } from '@leadback/egress';

/**
 * The IP address of a visitor in the form for platforms: an IPv4-mapped one as IPv4. `undefined` if it is invalid or of a
 * private network, which is a proxy that is not trusted. Those for documentation are allowed: they are unassigned, and
 * tests use them. A visitor's may also be of a network for a special purpose, such as a tunnel.
 */
export const publicAddress = (written: string): string | undefined => {
  const address = plainAddress(written);
  const kind = addressKind(address);
  return kind === undefined || kind === 'private' || kind === 'loopback' ? undefined : address;
};
