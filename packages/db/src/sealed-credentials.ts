import { deriveKey, seal, unseal } from '@leadback/domain';

/** The row that the credentials belong to. Sealed with them, so that they open nowhere else. */
export interface CredentialsOwner {
  readonly accountId: number;
  readonly id: number;
}

const owner = ({ accountId, id }: CredentialsOwner) => `account ${accountId} connection ${id}`;

/** The key under which credentials are sealed. */
export const credentialsKey = (secretsKey: Buffer): Buffer => deriveKey(secretsKey, 'platform credentials');

/** Encrypts credentials (any JSON value) for one platform connection. */
export const sealCredentials = (key: Buffer, connection: CredentialsOwner, credentials: unknown): Buffer =>
  seal(key, owner(connection), credentials);

/** Opens what `sealCredentials` gave. Throws where the key or the connection is another, or a bit has changed. */
export const unsealCredentials = (key: Buffer, connection: CredentialsOwner, sealed: Buffer): unknown =>
  unseal(key, owner(connection), sealed);
