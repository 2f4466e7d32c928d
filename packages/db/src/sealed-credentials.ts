import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from '@leadback/domain';

// format 1: version byte, 12 bytes of nonce, 16 bytes of tag, ciphertext (AES-256-GCM, NIST SP 800-38D)
const algorithm = 'aes-256-gcm';
const version = Buffer.of(1);
const nonceBytes = 12;
const tagBytes = 16;

/** The row that the credentials belong to. Sealed with them, so that they open nowhere else. */
export interface CredentialsOwner {
  readonly accountId: number;
  readonly id: number;
}

const owner = ({ accountId, id }: CredentialsOwner) => Buffer.from(`account ${accountId} connection ${id}`);

/** The key under which credentials are sealed. */
export const credentialsKey = (secretsKey: Buffer): Buffer => deriveKey(secretsKey, 'platform credentials');

/** Encrypts credentials (any JSON value) for one platform connection. */
export const sealCredentials = (key: Buffer, connection: CredentialsOwner, credentials: unknown): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(owner(connection));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(credentials)), cipher.final()]);
  return Buffer.concat([version, nonce, cipher.getAuthTag(), sealed]);
};

/** Opens what `sealCredentials` gave. Throws where the key or the connection is another, or a bit has changed. */
export const unsealCredentials = (key: Buffer, connection: CredentialsOwner, sealed: Buffer): unknown => {
  if (sealed[0] !== version[0]) throw new Error('sealed credentials are of an unknown version');
  const start = version.length + nonceBytes + tagBytes;
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(version.length, version.length + nonceBytes))
    .setAAD(owner(connection))
    .setAuthTag(sealed.subarray(version.length + nonceBytes, start));
  return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]).toString());
};
