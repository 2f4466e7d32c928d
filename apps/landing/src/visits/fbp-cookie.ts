import { randomInt } from 'node:crypto';
import { fbpShape } from '@leadback/domain';
import { stringifySetCookie } from 'cookie';
import type { Exchange } from './exchange.ts';

const cookieName = '_fbp';
const maxAgeSeconds = 90 * 86_400;

// The second part is the subdomain index (Meta: 0 is `com`, 1 `example.com`, 2 `www.example.com`). Leadback sets the
// cookie for the host itself; the pixel, for the shortest domain that accepts cookies. On that domain both are the
// same.
const startOfOurs = ({ request: { hostname } }: Exchange) => `fb.${(hostname ?? '').split('.').length - 1}.`;

interface BrowserIds {
  readonly ours?: string | undefined;
  readonly pixels?: string | undefined;
}

const browserIds = (exchange: Exchange): BrowserIds => {
  const sent = exchange.cookies.get(cookieName);
  if (sent === undefined) return {};
  const start = startOfOurs(exchange);
  const ids = sent.filter((value) => fbpShape.test(value));
  return { ours: ids.find((id) => id.startsWith(start)), pixels: ids.find((id) => !id.startsWith(start)) };
};

const set = ({ protocol, response }: Exchange, value: string, maxAge: number): void => {
  const cookie = {
    name: cookieName,
    value,
    maxAge,
    path: '/',
    // Meta's pixel reads it
    httpOnly: false,
    sameSite: 'lax',
    secure: protocol === 'https',
  } as const;
  response.appendHeader('Set-Cookie', stringifySetCookie(cookie));
};

/**
 * The browser id set by the advertiser's own pixel on a parent domain, under the consent that the advertiser asked
 * for.
 */
export const pixelFbp = (exchange: Exchange): string | undefined => browserIds(exchange).pixels;

/**
 * The browser id by which Meta recognizes visitors: that of the advertiser's pixel, so that both report the same id;
 * else Leadback's; else a new one, stored for 90 days, which a pixel on the same host reuses.
 */
export const fbpOf = (exchange: Exchange): string => {
  const { pixels, ours } = browserIds(exchange);
  const known = pixels ?? ours;
  if (known !== undefined) return known;
  const value = `${startOfOurs(exchange)}${exchange.atMs}.${randomInt(1_000_000_000, 10_000_000_000)}`;
  set(exchange, value, maxAgeSeconds);
  return value;
};

/** Deletes the id that Leadback has set. The pixel's id belongs to the advertiser. */
export const deleteFbp = (exchange: Exchange): void => {
  if (browserIds(exchange).ours !== undefined) set(exchange, '', 0);
};
