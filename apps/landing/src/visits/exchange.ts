import { isUtf8 } from 'node:buffer';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { ServedPage, BuiltPage } from '../pages/served-page.ts';

const controlCharacter = /\p{Cc}/u;
const controlCharacters = /\p{Cc}/gu;
const charactersMax = 512;

/**
 * Makes a value from a browser storable: removes control characters, replaces unpaired surrogates, cuts at 512 code
 * points. Returns null if nothing is left.
 */
export const capturedText = (value: string | null | undefined): string | null => {
  if (!value) return null;
  const wellFormed = value.toWellFormed();
  // nearly every value is short and clean
  if (wellFormed.length <= charactersMax && !controlCharacter.test(wellFormed)) return wellFormed;
  const clean = wellFormed.replace(controlCharacters, '');
  return Array.from(clean).slice(0, charactersMax).join('') || null;
};

const beyondAscii = /[\u0080-\u00ff]/;

/** Decodes octets, one per character, as UTF-8. Returns `otherwise` if they are not valid UTF-8. */
const inUtf8 = (octets: string, otherwise: string): string => {
  if (!beyondAscii.test(octets)) return octets;
  const bytes = Buffer.from(octets, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : otherwise;
};

/** Decodes a header as UTF-8 if it is valid; Node.js reads all headers as ISO 8859-1. */
export const decodeText = (read: string): string => inUtf8(read, read);

const maybeEncoded = /[+%]/;
const octet = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));

/** Decodes a name or value of a query. Text that is not UTF-8 stays encoded, so that nothing is lost. */
const decoded = (written: string): string =>
  inUtf8(
    maybeEncoded.test(written) ? written.replaceAll('+', ' ').replace(/%([0-9a-f]{2})/gi, octet) : written,
    written,
  );

export const readQuery = (requestTarget: string): [name: string, value: string][] => {
  const start = requestTarget.indexOf('?');
  if (start === -1) return [];
  return requestTarget
    .slice(start + 1)
    .split('&')
    .map((pair) => {
      const separator = pair.indexOf('=');
      return separator === -1
        ? [decoded(pair), '']
        : [decoded(pair.slice(0, separator)), decoded(pair.slice(separator + 1))];
    });
};

/** All values of each cookie in the order sent: a browser may have one per domain and path. */
export type Cookies = ReadonlyMap<string, readonly string[]>;

const none: Cookies = new Map();

export const readCookies = (header: string | undefined): Cookies => {
  if (header === undefined) return none;
  const pairs = decodeText(header)
    .split(';')
    .flatMap((pair) => Object.entries(parseCookie(pair)));
  const cookies = new Map<string, string[]>();
  for (const [name, value = ''] of pairs) {
    const values = cookies.get(name);
    if (values) values.push(value);
    else cookies.set(name, [value]);
  }
  return cookies;
};

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
