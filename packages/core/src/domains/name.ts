import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import { siteOf } from '../leads/reference-cookie.ts';
import { isPublicHost } from '../pages/pages.ts';
import { ActionRefused } from '../people/access.ts';

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const hostShape = new RegExp(String.raw`^(?:${label}\.)+(?!\d+$)${label}$`);
const lengthMax = 253;

/** Whether a name is what its owner registered, where DNS takes no CNAME. */
export const isApex = (name: string): boolean => siteOf(name) === name;

const problemOf = (name: string): string | undefined => {
  const { isIp } = parse(name);
  if (isIp) return 'is an IP address; expected a host name such as go.shop.example';
  if (name.length > lengthMax || !hostShape.test(name)) {
    return 'expected a host name such as go.shop.example, without https:// and without a path';
  }
  if (siteOf(name) === null)
    return 'anybody can have a name below it (the public suffix list says so); expected a name of your own';
  return isPublicHost(name) ? undefined : 'only one network knows this name; expected a public one';
};

const isAtOrBelow = (name: string, host: string): boolean => name === host || name.endsWith(`.${host}`);

/**
 * What was typed as the name of a domain, in ASCII and lower case. Refuses what is no public host name, and the hosts of the installation
 * with all names below them. `ownUrls`: its public URLs.
 */
export const readDomainName = (typed: string, ownUrls: readonly string[]): string => {
  const plain = typed.trim().replace(/\.$/, '');
  // domainToASCII reads 0x7f.1 as an IPv4 address, and returns an empty text for what is no host
  const name = /^[^\s/?#@:%]+$/.test(plain) ? domainToASCII(plain) : '';
  const problem = problemOf(name);
  if (problem !== undefined) throw new ActionRefused('invalid', `name: ${problem}`);
  const own = ownUrls.map((url) => new URL(url).hostname).find((host) => isAtOrBelow(name, host));
  if (own !== undefined)
    throw new ActionRefused('invalid', `name: ${own} is a host of this installation; choose another`);
  return name;
};
