import { type Database, preparedStatement, type EntityManager } from '@leadback/db';
import {
  type Keys,
  reEncryptAccountKey,
  type CredentialsOwner,
  encryptCredentials,
  encryptingKey,
  decryptCredentials,
} from '@leadback/domain/keys';
import { z } from 'zod';

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
const rowsSchema = z.array(
  z.object({
    id: z.coerce.number(),
    accountId: z.coerce.number(),
    platform: z.string(),
    encrypted: z.hex().transform((hex) => Buffer.from(hex, 'hex')),
  }),
);
const columns = `id, account_id as "accountId", platform, encode(credentials, 'hex') as encrypted`;

/** In the order of their ids, a few hundred per query. */
export async function* allStoredCredentials(em: EntityManager): AsyncGenerator<StoredCredentials, void, void> {
  for (let after = 0; ; ) {
    const rows = await em.execute(`select ${columns} from platform_connection where id > ? order by id limit ?`, [
      after,
      credentialsMax,
    ]);
    const found = rowsSchema.parse(rows);
    yield* found;
    if (found.length < credentialsMax) return;
    after = found.at(-1)?.id ?? after;
  }
}

/** Undefined if the connection was deleted. */
const readStoredCredentials = async (em: EntityManager, id: number): Promise<StoredCredentials | undefined> => {
  const [row] = rowsSchema.parse(await em.execute(`select ${columns} from platform_connection where id = ?`, [id]));
  return row;
};

interface CredentialsReEncryption {
  /** Re-encrypted with the first key by this call. */
  readonly reEncrypted: number;
  /** Encrypted with the first key before. */
  readonly kept: number;
  /** Encrypted with none of the keys; left unchanged. */
  readonly undecryptable: readonly CredentialsOwner[];
}

// Only if unchanged since they were read: the connection may have received new credentials meanwhile.
const writeCredentials = async (
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

const reEncryptOfConnection = async (
  em: EntityManager,
  keysOf: KeysOf,
  stored: StoredCredentials,
): Promise<keyof CredentialsReEncryption> => {
  const keys = keysOf(stored.platform);
  const under = encryptingKey(keys, stored, stored.encrypted);
  if (under === 'first') return 'kept';
  if (under === 'none') return 'undecryptable';
  const reEncrypted = encryptCredentials(keys, stored, decryptCredentials(keys, stored, stored.encrypted));
  if (await writeCredentials(em, stored, reEncrypted)) return 'reEncrypted';
  const changed = await readStoredCredentials(em, stored.id);
  return changed ? reEncryptOfConnection(em, keysOf, changed) : 'kept';
};

/**
 * Re-encrypts the credentials of every connection with the first of its keys, one by one, while apps are running. If it
 * is interrupted, a second call does the rest. `onDone` is called after each connection with the number done.
 */
export const reEncryptCredentials = async (
  em: EntityManager,
  keysOf: KeysOf,
  onDone: (connections: number) => void = () => {},
): Promise<CredentialsReEncryption> => {
  const counts = { reEncrypted: 0, kept: 0 };
  const undecryptable: CredentialsOwner[] = [];
  for await (const stored of allStoredCredentials(em)) {
    const result = await reEncryptOfConnection(em, keysOf, stored);
    if (result === 'undecryptable') undecryptable.push(stored);
    else counts[result] += 1;
    onDone(counts.reEncrypted + counts.kept + undecryptable.length);
  }
  return { ...counts, undecryptable };
};
