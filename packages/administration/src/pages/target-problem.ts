import { addressKind } from '@leadback/egress';

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || addressKind(host) === 'loopback';

// names that only one network knows
const isPrivateName = (host: string): boolean => !host.includes('.') || /\.(local|internal|home\.arpa|lan)$/.test(host);

/**
 * Why visitors cannot be redirected to a URL: for them it would be a device of their own network. This machine may be the
 * target if landing itself is on it, as on a developer's.
 */
export const targetProblem = (target: string, landingUrl: string): string | undefined => {
  const host = hostOf(target);
  if (isLoopback(host) && isLoopback(hostOf(landingUrl))) return undefined;
  const kind = addressKind(host);
  const isPublic = kind === undefined ? !isLoopback(host) && !isPrivateName(host) : kind === 'public';
  return isPublic ? undefined : 'must be a public host: visitors would be redirected into their own network';
};
