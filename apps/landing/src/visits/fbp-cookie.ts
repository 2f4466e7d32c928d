import { randomInt } from 'node:crypto';
import { stringifySetCookie } from 'cookie';
import { cookiesOf } from './click.ts';
import type { Exchange } from './exchange.ts';

const cookieName = '_fbp';
// as Meta's pixel writes it, and as its parameter builder does, which appends a part of its own
const wellFormed = /^fb\.\d\.\d{10,16}\.\d{1,20}(\.[\w-]{1,64})?$/;
const maxAgeSeconds = 90 * 86_400;

/**
 * The browser id by which Meta's pixel tells visitors apart: the one that the browser has, else a new one, which the
 * browser keeps for 90 days and Meta's pixel on the same host takes over.
 */
export const fbpOf = ({ request, response }: Exchange): string => {
  const known = cookiesOf(request)[cookieName] ?? '';
  if (wellFormed.test(known)) return known;
  // 1: set for the host itself, see Meta's documentation of fbp
  const value = `fb.1.${Date.now()}.${randomInt(1_000_000_000, 10_000_000_000)}`;
  const cookie = {
    name: cookieName,
    value,
    maxAge: maxAgeSeconds,
    path: '/',
    // Meta's pixel reads it
    httpOnly: false,
    sameSite: 'lax',
    secure: request.secure,
  } as const;
  response.append('Set-Cookie', stringifySetCookie(cookie));
  return value;
};
