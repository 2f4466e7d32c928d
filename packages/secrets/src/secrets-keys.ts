import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Purpose } from './purposes.ts';

const keyBytes = 32;
const expected = 'expected 32 bytes in base64, or several such keys with commas between them';

/** The value of `SECRETS_KEY`: one key, or several during a rotation. Only derived keys encrypt, issue or sign. */
export type SecretsKeys = readonly [Buffer, ...Buffer[]];

/**
 * Keys derived for one purpose: the first encrypts and issues, each of them decrypts and recognises. As key objects,
 * because Node.js imports the bytes of a key again at each use, which takes longer than the use.
 */
export type Keys = readonly [KeyObject, ...KeyObject[]];

const keySchema = z
  .base64(expected)
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === keyBytes, expected);

/** `SECRETS_KEY`: one or more comma-separated keys of 32 bytes in base64. */
export const secretsKeysSchema = z
  .string(expected)
  .transform((text) => text.split(',').map((key) => key.trim()))
  .pipe(z.tuple([keySchema], keySchema));

const derived = (secretsKey: Buffer, purpose: Purpose): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secretsKey, '', `leadback ${purpose}`, keyBytes)));

/**
 * Derives keys of 32 bytes for one purpose (HKDF-SHA-256, RFC 5869), so that no two uses of `SECRETS_KEY` share a key.
 */
export const deriveKeys = ([first, ...others]: SecretsKeys, purpose: Purpose): Keys => [
  derived(first, purpose),
  ...others.map((other) => derived(other, purpose)),
];
