import type { IncomingMessage } from 'node:http';
import { parseCookie } from 'cookie';
import type { Response } from 'express';

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const tokenShape = /^[A-Za-z0-9_-]{43}$/;

/**
 * The prefix of the names: browsers accept such a cookie from this host alone, over TLS, for all paths. Without `maxAge`, in
 * seconds, it has no expiry date: the server ends what it is for, and the browser when it is closed.
 */
const cookie = (
  name: `__Host-${string}`,
  { shape = tokenShape, maxAge }: { shape?: RegExp; maxAge?: number } = {},
) => ({
  /** Undefined without a well-formed value. */
  read({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    const { [name]: value } = parseCookie(headers.cookie ?? '');
    return value !== undefined && shape.test(value) ? value : undefined;
  },
  set(response: Response, value: string): void {
    const lifetime = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
    response.append('Set-Cookie', `${name}=${value}; ${attributes}${lifetime}`);
  },
  clear(response: Response): void {
    response.append('Set-Cookie', `${name}=; ${attributes}; Max-Age=0`);
  },
});

/** The token of a session. */
export const sessionCookie = cookie('__Host-leadback');

/** Which browser has begun to sign in with the identity provider. */
export const attemptCookie = cookie('__Host-leadback-attempt');

/** Who has signed in in this browser, for half a year after the last time. It opens nothing: it only sets limits apart. */
export const knownBrowserCookie = cookie('__Host-leadback-browser', {
  shape: /^[0-9A-Za-z-]{68}$/,
  maxAge: 180 * 24 * 3600,
});
