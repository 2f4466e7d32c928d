import { deriveKeys, type Keys, encrypt, decrypt } from '@leadback/domain';

/** The row that the credentials belong to. Sealed with them, so that they open nowhere else. */
export interface CredentialsOwner {
  readonly accountId: number;
  readonly id: number;
}

const owner = ({ accountId, id }: CredentialsOwner) => `account ${accountId} connection ${id}`;

/** The keys under which credentials are sealed. */
export const credentialsKeys = (secretsKeys: Keys): Keys => deriveKeys(secretsKeys, 'platform credentials');

/** Encrypts credentials (any JSON value) for one platform connection. */
export const encryptCredentials = (keys: Keys, connection: CredentialsOwner, credentials: unknown): Buffer =>
  encrypt(keys, owner(connection), credentials);

/** Opens what `sealCredentials` gave. Throws where none of the keys fits, the connection is another, or a bit has changed. */
export const decryptCredentials = (keys: Keys, connection: CredentialsOwner, sealed: Buffer): unknown =>
  decrypt(keys, owner(connection), sealed);

const opens = (keys: Keys, connection: CredentialsOwner, sealed: Buffer): boolean => {
  try {
    decryptCredentials(keys, connection, sealed);
    return true;
  } catch {
    return false;
  }
};

/** Whether credentials are sealed under the first of the keys, under another of them, or open under none. */
export const encryptingKey = (
  keys: Keys,
  connection: CredentialsOwner,
  sealed: Buffer,
): 'first' | 'another' | 'none' => {
  if (opens([keys[0]], connection, sealed)) return 'first';
  return opens(keys, connection, sealed) ? 'another' : 'none';
};
