import { type Database, preparedStatement, statement } from '@leadback/db';
import {
  connectionKeys,
  type Keys,
  type SecretsKeys,
  reEncryptAccountKey,
  type CredentialsOwner,
  encryptCredentials,
  encryptingKey,
  decryptCredentials,
} from '@leadback/domain/keys';

interface StoredAccountKey {
  readonly id: number;
  readonly encrypted: Buffer;
}

type Pool = Database['pool'];

const rowsMax = 1_000;

const readAfter = preparedStatement<StoredAccountKey>(
  'read-account-keys',
  `select id, data_key as encrypted from account where id > $1 and data_key is not null order by id limit ${rowsMax}`,
);

const readOne = preparedStatement<StoredAccountKey>(
  'read-one-account-key',
  'select id, data_key as encrypted from account where id = $1 and data_key is not null',
);

/** In the order of their ids, a thousand per query. */
export async function* allAccountKeys(pool: Pool): AsyncGenerator<StoredAccountKey, void, void> {
  for (let after = 0; ; ) {
    const found = await readAfter(pool, [after]);
    yield* found;
    if (found.length < rowsMax) return;
    after = found.at(-1)?.id ?? after;
  }
}

/** Undefined if the account has no key. */
const readAccountKey = async (pool: Pool, id: number): Promise<StoredAccountKey | undefined> => {
  const [row] = await readOne(pool, [id]);
  return row;
};

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

interface StoredCredentials extends CredentialsOwner {
  readonly platform: string;
  readonly encrypted: Buffer;
}

const credentialsMax = 200;
const columns = `id, account_id as "accountId", platform, credentials as encrypted`;
const readCredentialsAfter = statement<StoredCredentials>(
  `select ${columns} from platform_connection where id > $1 order by id limit ${credentialsMax}`,
);
const readCredentials = statement<StoredCredentials>(`select ${columns} from platform_connection where id = $1`);

/** In the order of their ids, a few hundred per query. */
export async function* allStoredCredentials(pool: Pool): AsyncGenerator<StoredCredentials, void, void> {
  for (let after = 0; ; ) {
    const found = await readCredentialsAfter(pool, [after]);
    yield* found;
    if (found.length < credentialsMax) return;
    after = found.at(-1)?.id ?? after;
  }
}

interface CredentialsReEncryption {
  /** Re-encrypted with the first key by this call. */
  readonly reEncrypted: number;
  /** Encrypted with the first key before. */
  readonly kept: number;
  /** Encrypted with none of the keys; left unchanged. */
  readonly undecryptable: readonly CredentialsOwner[];
}

// Only if unchanged since they were read: the connection may have received new credentials meanwhile.
const writeCredentials = statement(
  'update platform_connection set credentials = $3 where id = $1 and credentials = $2 returning id',
);

const reEncryptOfConnection = async (
  pool: Pool,
  secretsKeys: SecretsKeys,
  stored: StoredCredentials,
): Promise<keyof CredentialsReEncryption> => {
  const keys = connectionKeys(secretsKeys, stored.platform);
  const under = encryptingKey(keys, stored, stored.encrypted);
  if (under === 'first') return 'kept';
  if (under === 'none') return 'undecryptable';
  const reEncrypted = encryptCredentials(keys, stored, decryptCredentials(keys, stored, stored.encrypted));
  const written = await writeCredentials(pool, [stored.id, stored.encrypted, reEncrypted]);
  if (written.length > 0) return 'reEncrypted';
  const [changed] = await readCredentials(pool, [stored.id]);
  return changed ? reEncryptOfConnection(pool, secretsKeys, changed) : 'kept';
};

/**
 * Re-encrypts the credentials of every connection with the first of its keys, one by one, while apps are running. If it
 * is interrupted, a second call does the rest. `onDone` is called after each connection with the number done.
 */
export const reEncryptCredentials = async (
  pool: Pool,
  secretsKeys: SecretsKeys,
  onDone: (connections: number) => void = () => {},
): Promise<CredentialsReEncryption> => {
  const counts = { reEncrypted: 0, kept: 0 };
  const undecryptable: CredentialsOwner[] = [];
  for await (const stored of allStoredCredentials(pool)) {
    const result = await reEncryptOfConnection(pool, secretsKeys, stored);
    if (result === 'undecryptable') undecryptable.push(stored);
    else counts[result] += 1;
    onDone(counts.reEncrypted + counts.kept + undecryptable.length);
  }
  return { ...counts, undecryptable };
};
