import {
  type Keys,
  type CredentialsOwner,
  encryptCredentials,
  encryptingKey,
  decryptCredentials,
} from '@leadback/secrets';
import type { EntityManager } from '@leadback/db';
import { allStoredCredentials, readStoredCredentials, type StoredCredentials } from './stored-credentials.ts';

export interface ReEncryption {
  /** Re-encrypted with the first key by this call. */
  readonly reEncrypted: number;
  /** Encrypted with the first key before. */
  readonly kept: number;
  /** Encrypted with none of the keys; left unchanged. */
  readonly undecryptable: readonly CredentialsOwner[];
}

// Only if unchanged since they were read: the connection may have received new credentials meanwhile.
const write = async (
  em: EntityManager,
  { id, encrypted }: StoredCredentials,
  reEncrypted: Buffer,
): Promise<boolean> => {
  const { affectedRows } = await em.execute<{ affectedRows: number }>(
    `update platform_connection set credentials = decode(?, 'hex') where id = ? and credentials = decode(?, 'hex')`,
    [reEncrypted.toString('hex'), id, encrypted.toString('hex')],
    'run',
  );
  return affectedRows === 1;
};

/** The keys of a connection, by its platform. */
type KeysOf = (platform: string) => Keys;

const reEncrypt = async (em: EntityManager, keysOf: KeysOf, stored: StoredCredentials): Promise<keyof ReEncryption> => {
  const keys = keysOf(stored.platform);
  const under = encryptingKey(keys, stored, stored.encrypted);
  if (under === 'first') return 'kept';
  if (under === 'none') return 'undecryptable';
  const reEncrypted = encryptCredentials(keys, stored, decryptCredentials(keys, stored, stored.encrypted));
  if (await write(em, stored, reEncrypted)) return 'reEncrypted';
  const changed = await readStoredCredentials(em, stored.id);
  return changed ? reEncrypt(em, keysOf, changed) : 'kept';
};

/**
 * Re-encrypts the credentials of every connection with the first of its keys, one by one, while apps are running. If it
 * is interrupted, a second call does the rest. `onDone` is called after each connection with the number done.
 */
export const reEncryptCredentials = async (
  em: EntityManager,
  keysOf: KeysOf,
  onDone: (connections: number) => void = () => {},
): Promise<ReEncryption> => {
  const counts = { reEncrypted: 0, kept: 0 };
  const undecryptable: CredentialsOwner[] = [];
  for await (const stored of allStoredCredentials(em)) {
    const result = await reEncrypt(em, keysOf, stored);
    if (result === 'undecryptable') undecryptable.push(stored);
    else counts[result] += 1;
    onDone(counts.reEncrypted + counts.kept + undecryptable.length);
  }
  return { ...counts, undecryptable };
};
