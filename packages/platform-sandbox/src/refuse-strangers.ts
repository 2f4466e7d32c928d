import { isIP } from 'node:net';
import type { RequestHandler } from 'express';

// of this machine, and of the service in docker-compose.yml
const ownNames = ['localhost', 'sandbox'];

const urlOf = (text: string | undefined): URL | null => (text === undefined ? null : URL.parse(text));

const isOwnHost = (host: string | undefined): boolean => {
  const name = urlOf(host && `http://${host}`)?.hostname ?? '';
  return ownNames.includes(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
};

/**
 * Refuses what pages of other sites send from a browser on this machine: under a name of theirs that resolves to this
 * machine, or from an origin of their own. Programs send no origin.
 */
export const refuseStrangers: RequestHandler = ({ headers: { host, origin } }, response, next) => {
  if (isOwnHost(host) && (origin === undefined || urlOf(origin)?.host === urlOf(`http://${host}`)?.host)) next();
  else response.status(403).json({ message: 'the sandbox is for programs and pages of this machine' });
};
