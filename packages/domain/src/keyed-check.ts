import { createHmac, timingSafeEqual } from 'node:crypto';
import { bytesInBase62 } from './base62.ts';

/** Characters of `[0-9A-Za-z]` that follow from the text, and that nobody without the key can tell (HMAC-SHA-256). */
export const keyedCheck = (key: Buffer, text: string, length: number): string =>
  bytesInBase62(createHmac('sha256', key).update(text).digest(), length);

/** Whether `given` is the keyed check of the text, of whatever length. Takes as long when it is not. */
export const isKeyedCheck = (key: Buffer, text: string, given: string): boolean =>
  timingSafeEqual(Buffer.from(keyedCheck(key, text, given.length)), Buffer.from(given));
