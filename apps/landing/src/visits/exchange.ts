import type { ServedPage, BuiltPage } from '../pages/served-page.ts';
import type { Request, Response } from 'express';
import { type Cookies, readCookies } from './cookies.ts';

/** A request for a landing page, with what several functions read of it: Express computes it again at each use. */
export interface Exchange {
  readonly built: BuiltPage;
  readonly page: ServedPage;
  readonly request: Request;
  readonly response: Response;
  readonly cookies: Cookies;
  /** Of the visitor's connection, to this app or to the proxy. */
  readonly protocol: string;
  /** When the request arrived, by PostgreSQL's clock, in milliseconds since 1970. */
  readonly atMs: number;
}

export const exchangeOf = (built: BuiltPage, request: Request, response: Response, atMs: number): Exchange => ({
  built,
  page: built.page,
  request,
  response,
  cookies: readCookies(request.headers.cookie),
  protocol: request.protocol,
  atMs,
});
