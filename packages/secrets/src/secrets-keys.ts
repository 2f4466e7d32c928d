import { hkdfSync } from 'node:crypto';
import { z } from 'zod';
import type { Purpose } from './purposes.ts';

const keyBytes = 32;
const expected = 'expected 32 bytes in base64, or several such keys with commas between them';

/** One key, or several during a rotation: the first encrypts and issues, each of them decrypts and recognises. */
export type Keys = readonly [Buffer, ...Buffer[]];

const keySchema = z
  .base64(expected)
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === keyBytes, expected);

/** `SECRETS_KEY`: one or more comma-separated keys of 32 bytes in base64. */
export const secretsKeysSchema = z
  .string(expected)
  .transform((text) => text.split(',').map((key) => key.trim()))
  .pipe(z.tuple([keySchema], keySchema));

const derived = (secretsKey: Buffer, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secretsKey, '', `leadback ${purpose}`, keyBytes));

/**
 * Derives keys of 32 bytes for one purpose (HKDF-SHA-256, RFC 5869), so that no two uses of `SECRETS_KEY` share a key.
 */
export const deriveKeys = ([first, ...others]: Keys, purpose: Purpose): Keys => [
  derived(first, purpose),
  ...others.map((other) => derived(other, purpose)),
];
