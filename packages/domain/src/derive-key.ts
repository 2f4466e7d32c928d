import { hkdfSync } from 'node:crypto';
import { z } from 'zod';

const keyBytes = 32;

/** `SECRETS_KEY`: 32 bytes in base64. Gives the bytes. */
export const secretsKeySchema = z
  .base64('expected 32 bytes in base64')
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === keyBytes, 'expected 32 bytes in base64');

/** A key of 32 bytes for one purpose (HKDF-SHA-256, RFC 5869), so that no two uses of `SECRETS_KEY` share a key. */
export const deriveKey = (secretsKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretsKey, '', `leadback ${purpose}`, keyBytes));
