import { randomInt } from 'node:crypto';
import { fbpShape } from '@leadback/domain';
import { stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { cookieValues } from './click.ts';
import type { Exchange } from './exchange.ts';

const cookieName = '_fbp';
const maxAgeSeconds = 90 * 86_400;

// Meta's documentation: 0 is `com`, 1 `example.com`, 2 `www.example.com`. Ours is of the host itself; the pixel writes one
// of the shortest domain that takes cookies. Both are the same where the host is that domain.
const startOfOurs = ({ hostname }: Request) => `fb.${(hostname ?? '').split('.').length - 1}.`;

const browserIds = (request: Request): { readonly ours?: string | undefined; readonly pixels?: string | undefined } => {
  const start = startOfOurs(request);
  const ids = cookieValues(request, cookieName).filter((value) => fbpShape.test(value));
  return { ours: ids.find((id) => id.startsWith(start)), pixels: ids.find((id) => !id.startsWith(start)) };
};

const set = ({ request, response }: Exchange, value: string, maxAge: number): void => {
  const cookie = {
    name: cookieName,
    value,
    maxAge,
    path: '/',
    // Meta's pixel reads it
    httpOnly: false,
    sameSite: 'lax',
    secure: request.secure,
  } as const;
  response.append('Set-Cookie', stringifySetCookie(cookie));
};

/** The browser id that the shop's own pixel has set for the domain above the host, under what the shop asked. */
export const pixelFbp = (request: Request): string | undefined => browserIds(request).pixels;

/**
 * The browser id by which Meta tells visitors apart: the pixel's, by which the shop's own events go; else ours; else a new
 * one, which the browser keeps for 90 days and Meta's pixel on the same host takes over.
 */
export const fbpOf = (exchange: Exchange): string => {
  const { request } = exchange;
  const { pixels, ours } = browserIds(request);
  const known = pixels ?? ours;
  if (known !== undefined) return known;
  const value = `${startOfOurs(request)}${Date.now()}.${randomInt(1_000_000_000, 10_000_000_000)}`;
  set(exchange, value, maxAgeSeconds);
  return value;
};

/** Makes the browser delete the id that we have set. The pixel's is the shop's to delete. */
export const forgetFbp = (exchange: Exchange): void => {
  if (browserIds(exchange.request).ours !== undefined) set(exchange, '', 0);
};
