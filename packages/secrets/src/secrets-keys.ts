import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Purpose } from './purposes.ts';

const keyBytes = 32;
const expected = 'expected 32 bytes in base64, or several such keys with commas between them';

/** Several during a rotation. Only keys derived from them encrypt, issue or sign. */
export type MasterKeys = readonly [Buffer, ...Buffer[]];

/** Keys of one app. The keys from which they were derived cannot be computed from them. */
export interface AppKeys {
  readonly app: string;
  readonly keys: ReadonlyMap<Purpose, Keys>;
}

/** The value of `SECRETS_KEY`: the keys from which all are derived, or those of one app. */
export type SecretsKeys = MasterKeys | AppKeys;

/**
 * Keys for one purpose: the first encrypts and issues, each of them decrypts and recognises. As key objects, because
 * Node.js imports the bytes of a key again at each use, which takes longer than the use.
 */
export type Keys = readonly [KeyObject, ...KeyObject[]];

export const keySchema = z
  .base64(expected)
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === keyBytes, expected);

/** `SECRETS_KEY` of the operator: one or more comma-separated keys of 32 bytes in base64. */
export const masterKeysSchema = z
  .string(expected)
  .transform((text) => text.split(',').map((key) => key.trim()))
  .pipe(z.tuple([keySchema], keySchema));

const derived = (masterKey: Buffer, purpose: Purpose): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', `leadback ${purpose}`, keyBytes)));

/**
 * The keys of 32 bytes for one purpose (HKDF-SHA-256, RFC 5869), so that no two uses of `SECRETS_KEY` share a key. Throws
 * if they are keys of an app that has no such purpose.
 */
export const keysFor = (secretsKeys: SecretsKeys, purpose: Purpose): Keys => {
  if ('app' in secretsKeys) {
    const keys = secretsKeys.keys.get(purpose);
    if (!keys) throw new Error(`the keys of ${secretsKeys.app} in SECRETS_KEY have none for '${purpose}'`);
    return keys;
  }
  const [first, ...others] = secretsKeys;
  return [derived(first, purpose), ...others.map((other) => derived(other, purpose))];
};
