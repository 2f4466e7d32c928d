import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';

const tokenShape = /^[A-Za-z0-9_-]{43}$/;
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** The prefix of the names: browsers accept such a cookie from this host alone, over TLS, for all paths. */
const cookie = (name: `__Host-${string}`) => ({
  /** Undefined without a well-formed token. */
  read({ headers }: Request): string | undefined {
    const { [name]: token } = parseCookie(headers.cookie ?? '');
    return token !== undefined && tokenShape.test(token) ? token : undefined;
  },
  /** Without an expiry date: the server ends what it is for, and the browser when it is closed. */
  set(response: Response, token: string): void {
    response.append('Set-Cookie', `${name}=${token}; ${attributes}`);
  },
  clear(response: Response): void {
    response.append('Set-Cookie', `${name}=; ${attributes}; Max-Age=0`);
  },
});

/** The token of a session. */
export const sessionCookie = cookie('__Host-leadback');

/** Which browser has begun to sign in with the identity provider. */
export const attemptCookie = cookie('__Host-leadback-attempt');
