import type { Request } from 'express';

// The proxy in front may have ended TLS, so that the scheme is not ours to compare.
const isOwnHost = (origin: string, host: string): boolean => {
  if (!URL.canParse(origin)) return false;
  const sender = new URL(origin);
  const own = `${sender.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === sender.host;
};

/**
 * Whether a form comes from a page of ours, as far as the browser says. What it compared itself (`Sec-Fetch-Site`)
 * counts first, because a proxy may have changed the host that we see. An `Origin: null` is refused: any site can have
 * browsers send that, and those that hide the origin of our own pages say `Sec-Fetch-Site`.
 */
export const isFromOwnPage = (request: Request): boolean => {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.get('origin');
  return origin === undefined || isOwnHost(origin, request.host ?? '');
};
