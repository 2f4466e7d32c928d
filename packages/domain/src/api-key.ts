import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { bytesInBase62, randomBase62 } from './base62.ts';

const mark = 'lb_';
// 34 characters are 202 bits; the prefix gives away 6 of them and leaves 166
const secretLength = 34;
const checksumLength = 6;
const shape = /^lb_[0-9A-Za-z]{40}$/;

/** How much of a key may be shown, so that an operator recognises it. */
export const apiKeyPrefixLength = mark.length + 6;

const checksum = (secret: string) => {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(mark + secret));
  return bytesInBase62(sum, checksumLength);
};

/** A new key: `lb_`, 34 random characters and a checksum, by which secret scanners find it and a typo is noticed. */
export const issueApiKey = (): string => {
  const secret = randomBase62(secretLength);
  return mark + secret + checksum(secret);
};

/** Whether the text can be a key of ours at all. */
export const isWellFormedApiKey = (text: string): boolean =>
  shape.test(text) && checksum(text.slice(mark.length, -checksumLength)) === text.slice(-checksumLength);

/** What is stored of a key. A plain hash is enough: there is no guessing 202 random bits. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest();
