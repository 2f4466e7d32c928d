import { isIP } from 'node:net';
import { addressProblem, defaultPorts, type EgressOptions, type ProblemCode } from './address-problem.ts';

export interface ReadUrl {
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
