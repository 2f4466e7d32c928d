import type { Request } from 'express';

// The proxy may have terminated TLS, so the scheme is not compared.
const isOwnHost = (origin: string, host: string): boolean => {
  if (!URL.canParse(origin)) return false;
  const sender = new URL(origin);
  const own = `${sender.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === sender.host;
};

/**
 * Whether the browser says that a form comes from this landing app. `Sec-Fetch-Site` takes precedence, because a proxy
 * may have changed the host. `Origin: null` is refused: any site can make browsers send it, and browsers that hide the
 * origin of this site send `Sec-Fetch-Site`.
 */
export const isFromOwnPage = (request: Request): boolean => {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.get('origin');
  return origin === undefined || isOwnHost(origin, request.host ?? '');
};
