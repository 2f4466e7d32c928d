import { type Keys, reEncryptAccountKey } from '@leadback/secrets';
import type { Database } from '@leadback/db';
import { allAccountKeys, readAccountKey, type StoredAccountKey } from './stored-account-keys.ts';

type Pool = Database['pool'];

interface ReEncryption {
  /** Re-encrypted with the first key by this call. */
  readonly reEncrypted: number;
  /** The ids of accounts whose key none of the keys decrypts; it is left unchanged. */
  readonly undecryptable: readonly number[];
}

// Only if unchanged since it was read: it may have been dropped meanwhile.
const write = async (pool: Pool, { id, encrypted }: StoredAccountKey, reEncrypted: Uint8Array): Promise<boolean> => {
  const { rowCount } = await pool.query('update account set data_key = $3 where id = $1 and data_key = $2', [
    id,
    encrypted,
    reEncrypted,
  ]);
  return rowCount === 1;
};

const reEncrypt = async (
  pool: Pool,
  keys: Keys,
  stored: StoredAccountKey,
): Promise<'kept' | 'reEncrypted' | 'undecryptable'> => {
  const reEncrypted = reEncryptAccountKey(keys, stored.id, stored.encrypted);
  if (reEncrypted === undefined) return 'undecryptable';
  if (reEncrypted === stored.encrypted) return 'kept';
  if (await write(pool, stored, reEncrypted)) return 'reEncrypted';
  const changed = await readAccountKey(pool, stored.id);
  return changed ? reEncrypt(pool, keys, changed) : 'kept';
};

/** Re-encrypts the key of every account with the first of the keys, one by one, while apps are running. */
export const reEncryptAccountKeys = async (pool: Pool, keys: Keys): Promise<ReEncryption> => {
  let reEncrypted = 0;
  const undecryptable: number[] = [];
  for await (const stored of allAccountKeys(pool)) {
    const result = await reEncrypt(pool, keys, stored);
    if (result === 'undecryptable') undecryptable.push(stored.id);
    if (result === 'reEncrypted') reEncrypted += 1;
  }
  return { reEncrypted, undecryptable };
};
