import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';

// the prefix: browsers accept it from this host alone, over TLS, for all paths
const name = '__Host-leadback';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

const tokenShape = /^[A-Za-z0-9_-]{43}$/;

/** The token of a session; undefined without a well-formed one. */
export const sessionTokenOf = ({ headers }: Request): string | undefined => {
  const { [name]: token } = parseCookie(headers.cookie ?? '');
  return token !== undefined && tokenShape.test(token) ? token : undefined;
};

/** Without an expiry date: the server ends sessions, and the browser when it is closed. */
export const setSessionToken = (response: Response, token: string): void => {
  response.setHeader('Set-Cookie', `${name}=${token}; ${attributes}`);
};

export const clearSessionToken = (response: Response): void => {
  response.setHeader('Set-Cookie', `${name}=; ${attributes}; Max-Age=0`);
};
