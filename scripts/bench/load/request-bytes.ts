import { hash } from 'node:crypto';
import type { Asked, Piece } from './load.ts';

export interface NumberedRequest {
  readonly number: number;
  readonly bytes: Buffer;
}

// above the numbers of rows that parts insert themselves
let lastNumber = 1_000_000_000;

const writer = (piece: Piece): ((number: number) => string) => {
  if (typeof piece === 'string') return () => piece;
  if ('number' in piece) return String;
  if ('hashedNumber' in piece) return (number) => hash('md5', String(number));
  return (number) => piece.next[number % piece.next.length] ?? '';
};

/** Returns a function that writes the next request. */
export const requestWriter = ({ url, method, headers, body }: Asked): (() => NumberedRequest) => {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}`;
  if (body === undefined) {
    const bytes = Buffer.from(`${head}\r\n`);
    return () => ({ number: (lastNumber += 1), bytes });
  }
  const pieces = body.map(writer);
  const headWithType = `${head}content-type: application/json\r\ncontent-length: `;
  return () => {
    const number = (lastNumber += 1);
    const text = pieces.reduce((written, piece) => written + piece(number), '');
    return { number, bytes: Buffer.from(`${headWithType}${text.length}\r\n\r\n${text}`, 'latin1') };
  };
};
