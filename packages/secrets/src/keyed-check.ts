import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { lastBase62Digits } from './base62.ts';
import type { Keys } from './secrets-keys.ts';

const checkUnder = (key: KeyObject, text: string, length: number): string =>
  lastBase62Digits(BigInt(`0x${createHmac('sha256', key).update(text).digest('hex')}`), length);

/** Characters of `[0-9A-Za-z]` derived from the text with the first key (HMAC-SHA-256). */
export const keyedCheck = ([first]: Keys, text: string, length: number): string => checkUnder(first, text, length);

/** Whether `given` is the keyed check of the text under any of the keys. Compares in constant time. */
export const isKeyedCheck = (keys: Keys, text: string, given: string): boolean =>
  keys.some((key) => timingSafeEqual(Buffer.from(checkUnder(key, text, given.length)), Buffer.from(given)));
