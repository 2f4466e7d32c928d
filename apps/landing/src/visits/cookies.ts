import { parseCookie } from 'cookie';
import { decodeText } from './captured-text.ts';

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
