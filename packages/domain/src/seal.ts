import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

// format 1: version byte, 12 bytes of nonce, 16 bytes of tag, ciphertext (AES-256-GCM, NIST SP 800-38D)
const algorithm = 'aes-256-gcm';
const version = Buffer.of(1);
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts any JSON value. What it belongs to (a row, a kind of message) is sealed with it, so that it opens nowhere else. */
export const seal = (key: Buffer, belongsTo: string, value: unknown): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(belongsTo));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
  return Buffer.concat([version, nonce, cipher.getAuthTag(), sealed]);
};

/** Opens what `seal` gave. Throws where the key or what it belongs to is another, or a bit has changed. */
export const unseal = (key: Buffer, belongsTo: string, sealed: Buffer): unknown => {
  if (sealed[0] !== version[0]) throw new Error('sealed under an unknown version');
  const start = version.length + nonceBytes + tagBytes;
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(version.length, version.length + nonceBytes))
    .setAAD(Buffer.from(belongsTo))
    .setAuthTag(sealed.subarray(version.length + nonceBytes, start));
  return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]).toString());
};
