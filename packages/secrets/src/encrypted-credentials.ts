import { webhookName } from '@leadback/domain';
import { keysFor, type Keys, type SecretsKeys } from './secrets-keys.ts';
import { encrypt, decrypt } from './encrypt.ts';
import { webhookKeys } from './webhook-secret.ts';

/**
 * The row that the credentials belong to. It is authenticated with them, so that they cannot be decrypted for another
 * row.
 */
export interface CredentialsOwner {
  readonly accountId: number;
  readonly id: number;
}

const owner = ({ accountId, id }: CredentialsOwner) => `account ${accountId} connection ${id}`;

export const credentialsKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'platform credentials');

/** Keys for the credentials of a connection to a platform or webhook. */
export const connectionKeys = (secretsKeys: SecretsKeys): ((platform: string) => Keys) => {
  const [ofWebhooks, ofPlatforms] = [webhookKeys(secretsKeys), credentialsKeys(secretsKeys)];
  return (platform) => (platform === webhookName ? ofWebhooks : ofPlatforms);
};

/** `credentials`: any JSON value. */
export const encryptCredentials = (keys: Keys, connection: CredentialsOwner, credentials: unknown): Buffer =>
  encrypt(keys, owner(connection), credentials);

/** Throws if none of the keys fits, the connection is a different one, or a bit was changed. */
export const decryptCredentials = (keys: Keys, connection: CredentialsOwner, encrypted: Buffer): unknown =>
  decrypt(keys, owner(connection), encrypted);

const decrypts = (keys: Keys, connection: CredentialsOwner, encrypted: Buffer): boolean => {
  try {
    decryptCredentials(keys, connection, encrypted);
    return true;
  } catch {
    return false;
  }
};

/** Which of the keys decrypts the credentials. */
export const encryptingKey = (
  keys: Keys,
  connection: CredentialsOwner,
  encrypted: Buffer,
): 'first' | 'another' | 'none' => {
  if (decrypts([keys[0]], connection, encrypted)) return 'first';
  return decrypts(keys, connection, encrypted) ? 'another' : 'none';
};
