import type { EgressOptions, ProblemCode } from './address-problem.ts';
import { permittedAddresses, type Resolve, resolveHost } from './checked-lookup.ts';
import { readUrl } from './read-url.ts';

const problems: Readonly<Record<ProblemCode, string>> = {
  URL_INVALID: 'expected a URL, such as https://shop.example/leadback',
  HTTPS_REQUIRED: 'expected a URL that begins with https://',
  URL_HAS_CREDENTIALS: 'must not contain a user name or password; requests are signed instead',
  PORT_NOT_ALLOWED: 'the port is not allowed; use port 443',
  PRIVATE_ADDRESS: 'the host is or resolves to an address that is not public',
  OWN_HOST: 'the host belongs to Leadback itself',
  NAME_NOT_FOUND: 'the host name does not resolve',
};

interface CheckOptions extends EgressOptions {
  /** Host names of this installation, in lower case. */
  readonly ownHosts: readonly string[];
  /** Default: DNS. */
  readonly resolve?: Resolve;
}

const problemOf = async (
  text: string,
  { ownHosts, resolve = resolveHost, ...egress }: CheckOptions,
): Promise<ProblemCode | undefined> => {
  const read = readUrl(text, egress);
  if ('problem' in read) return read.problem;
  const host = read.url.hostname.replace(/\.$/, '');
  if (ownHosts.includes(host)) return 'OWN_HOST';
  if (read.address !== undefined) return undefined;
  try {
    await permittedAddresses(host, { ...egress, isSecure: read.isSecure, port: read.port, resolve });
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'PRIVATE_ADDRESS' || code === 'HTTPS_REQUIRED' || code === 'PORT_NOT_ALLOWED'
      ? code
      : 'NAME_NOT_FOUND';
  }
};

/**
 * Why a URL cannot be that of a webhook, as a message about the field; undefined if it can. Resolves the host name. Every
 * attempt checks it again: this only tells the partner early.
 */
export const checkWebhookUrl = async (text: string, options: CheckOptions): Promise<string | undefined> => {
  const problem = await problemOf(text, options);
  return problem && problems[problem];
};
