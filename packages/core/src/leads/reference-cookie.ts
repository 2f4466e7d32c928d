import { stringifySetCookie } from 'cookie';
import { getDomain } from 'tldts';

/** The cookie by which an advertiser's server keeps a reference. */
export const referenceCookieName = 'leadback';

/** How long a click counts: platforms attribute no sale to an older one. */
const daysCounted = 90;
const secondsCounted = daysCounted * 86_400;

/** The part of a host name that its owner registered, as the public suffix list says; null: nobody registered it. */
export const siteOf = (host: string): string | null => getDomain(host, { allowPrivateDomains: true });

interface ClickOfCookie {
  readonly reference: string;
  /** In milliseconds since 1970. */
  readonly clickedMs: number;
  /** The page of the advertiser on which the visitor arrived. */
  readonly url: string;
}

/**
 * The value of `Set-Cookie` with which an advertiser's own server keeps a reference in the browser, as long as the click counts: for
 * all hosts of the site, which the public suffix list tells, and also for its scripts. `<reference>.<time of the click in seconds>`: what reads a
 * lead reference finds it in this.
 */
export const referenceCookie = ({ reference, clickedMs, url }: ClickOfCookie, nowMs: number): string => {
  const { hostname, protocol } = new URL(url);
  const domain = siteOf(hostname);
  const clickedAt = Math.floor(clickedMs / 1_000);
  const left = secondsCounted - Math.max(0, Math.floor(nowMs / 1_000) - clickedAt);
  return stringifySetCookie({
    name: referenceCookieName,
    value: `${reference}.${clickedAt}`,
    path: '/',
    maxAge: Math.max(0, left),
    sameSite: 'lax',
    secure: protocol === 'https:',
    ...(domain !== null && { domain }),
  });
};
