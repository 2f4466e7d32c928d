import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { lastBase62Digits, randomBase62 } from './base62.ts';

const prefix = 'lb_';
// 34 characters have 202 bits; the visible prefix has 6 characters, which leaves 166 bits
const secretLength = 34;
const checksumLength = 6;
const shape = /^lb_[0-9A-Za-z]{40}$/;

/** Length of the part of a key that operators may see. */
export const apiKeyPrefixLength = prefix.length + 6;

const checksum = (secret: string) => lastBase62Digits(BigInt(crc32(prefix + secret)), checksumLength);

/** A new key: `lb_`, 34 random characters and a checksum, which secret scanners and the typo check use. */
export const issueApiKey = (): string => {
  const secret = randomBase62(secretLength);
  return prefix + secret + checksum(secret);
};

/** Whether the text has the format and checksum of a key. */
export const isWellFormedApiKey = (text: string): boolean =>
  shape.test(text) && checksum(text.slice(prefix.length, -checksumLength)) === text.slice(-checksumLength);

/**
 * The stored form of a key. A plain hash is enough: 202 random bits cannot be guessed. By way of text, because Node.js
 * allocates a digest in bytes outside of its pool.
 */
export const hashApiKey = (key: string): Buffer => Buffer.from(hash('sha256', key, 'hex'), 'hex');
