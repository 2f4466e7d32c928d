import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keys } from './secrets-keys.ts';

// format 1: version byte, 12 bytes of nonce, 16 bytes of tag, ciphertext (AES-256-GCM, NIST SP 800-38D)
const algorithm = 'aes-256-gcm';
const version = Buffer.of(1);
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts any JSON value. What it belongs to (a row, a kind of message) is sealed with it, so that it opens nowhere else. */
export const encrypt = ([key]: Keys, belongsTo: string, value: unknown): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(belongsTo));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
  return Buffer.concat([version, nonce, cipher.getAuthTag(), sealed]);
};

const unsealUnder = (key: Buffer, belongsTo: string, sealed: Buffer): unknown => {
  if (sealed[0] !== version[0]) throw new Error('sealed under an unknown version');
  const start = version.length + nonceBytes + tagBytes;
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(version.length, version.length + nonceBytes))
    .setAAD(Buffer.from(belongsTo))
    .setAuthTag(sealed.subarray(version.length + nonceBytes, start));
  return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]).toString());
};

/**
 * Opens what `seal` gave, under whichever of the keys. Throws where it was none of them, where what it belongs to is
 * another, or a bit has changed. Which key it was is not written down: the tag tells, and there are seldom more than
 * two.
 */
export const decrypt = (keys: Keys, belongsTo: string, sealed: Buffer): unknown => {
  let failure: unknown;
  for (const key of keys) {
    try {
      return unsealUnder(key, belongsTo, sealed);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
};
