import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from 'node:crypto';
import type { Keys } from './secrets-keys.ts';

// format 1: version byte, 12 bytes of nonce, 16 bytes of tag, ciphertext (AES-256-GCM, NIST SP 800-38D)
const algorithm = 'aes-256-gcm';
const version = Buffer.of(1);
const nonceBytes = 12;
const tagBytes = 16;

// a call of the random generator costs as much as half an encryption: one call for many nonces
const nonces = Buffer.alloc(512 * nonceBytes);
let used = nonces.length;

/** Valid until the next call. */
const nextNonce = (): Buffer => {
  if (used === nonces.length) {
    randomFillSync(nonces);
    used = 0;
  }
  used += nonceBytes;
  return nonces.subarray(used - nonceBytes, used);
};

/**
 * Encrypts any JSON value. `belongsTo` (a row, a kind of message) is authenticated with it: it decrypts only for the
 * same.
 */
export const encrypt = ([key]: Keys, belongsTo: string, value: unknown): Buffer => {
  const nonce = nextNonce();
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(belongsTo));
  const encrypted = cipher.update(JSON.stringify(value));
  // in this mode it has no bytes left, but makes the tag
  cipher.final();
  return Buffer.concat([version, nonce, cipher.getAuthTag(), encrypted]);
};

const decryptWith = (key: KeyObject, belongsTo: string, encrypted: Buffer): unknown => {
  if (encrypted[0] !== version[0]) throw new Error('unknown version of the encryption format');
  const start = version.length + nonceBytes + tagBytes;
  const decipher = createDecipheriv(algorithm, key, encrypted.subarray(version.length, version.length + nonceBytes))
    .setAAD(Buffer.from(belongsTo))
    .setAuthTag(encrypted.subarray(version.length + nonceBytes, start));
  return JSON.parse(Buffer.concat([decipher.update(encrypted.subarray(start)), decipher.final()]).toString());
};

/**
 * Decrypts with any of the keys. Throws if none fits, `belongsTo` differs, or the data was changed. The key is found
 * by trying: there are seldom more than two.
 */
export const decrypt = (keys: Keys, belongsTo: string, encrypted: Buffer): unknown => {
  let failure: unknown;
  for (const key of keys) {
    try {
      return decryptWith(key, belongsTo, encrypted);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
};
