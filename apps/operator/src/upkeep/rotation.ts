import { type Database, type Queryable, statement } from '@leadback/db';
import {
  connectionKeys,
  type Keys,
  type SecretsKeys,
  reEncryptAccountKey,
  type CredentialsOwner,
  encryptCredentials,
  encryptingKey,
  decryptCredentials,
  decryptSourceSecrets,
  encryptSourceSecrets,
  sourceKeys,
} from '@leadback/domain/keys';

type Pool = Database['pool'];

interface Stored {
  readonly id: number;
  readonly encrypted: Buffer;
}

type Statement<Row> = (on: Queryable, values: readonly unknown[]) => Promise<Row[]>;

/** A column with something encrypted. */
interface Column<Row extends Stored> {
  /** The next rows with larger ids; none at the end. */
  readonly readAfter: Statement<Row>;
  readonly read: Statement<Row>;
  /** Only if it is unchanged since it was read: returns the id if it was. */
  readonly write: Statement<{ id: number }>;
}

interface StoredCredentials extends Stored, CredentialsOwner {
  readonly platform: string;
}

const columnOf = <Row extends Stored>(table: string, column: string, others = ''): Column<Row> => {
  const rows = `select id, ${others}${column} as encrypted from ${table} where ${column} is not null`;
  return {
    readAfter: statement<Row>(`${rows} and id > $1 order by id limit 500`),
    read: statement<Row>(`${rows} and id = $1`),
    write: statement<{ id: number }>(
      `update ${table} set ${column} = $3 where id = $1 and ${column} = $2 returning id`,
    ),
  };
};

const accountKeys = columnOf<Stored>('account', 'data_key');
const credentials = columnOf<StoredCredentials>(
  'platform_connection',
  'credentials',
  'account_id as "accountId", platform, ',
);

const sourceSecrets = columnOf<Stored & CredentialsOwner>('source', 'secrets', 'account_id as "accountId", ');

async function* rowsOf<Row extends Stored>(pool: Pool, { readAfter }: Column<Row>): AsyncGenerator<Row, void, void> {
  for (let after = 0; ; ) {
    const found = await readAfter(pool, [after]);
    yield* found;
    const last = found.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** In the order of their ids, some hundred per query. */
export const allAccountKeys = (pool: Pool) => rowsOf(pool, accountKeys);

/** In the order of their ids, some hundred per query. */
export const allStoredCredentials = (pool: Pool) => rowsOf(pool, credentials);

interface ReEncryption<Row> {
  /** Re-encrypted with the first key by this call. */
  readonly reEncrypted: number;
  /** Encrypted with the first key before. */
  readonly kept: number;
  /** Encrypted with none of the keys; left unchanged. */
  readonly undecryptable: readonly Row[];
}

/**
 * Re-encrypts every row, one by one, while apps are running. If it is interrupted, a second call does the rest.
 * `reEncrypt`: the same bytes if they are encrypted with the first key, undefined if no key decrypts them. `onDone` is
 * called after each row with the number done.
 */
const reEncryptAll = async <Row extends Stored>(
  pool: Pool,
  column: Column<Row>,
  reEncrypt: (row: Row) => Uint8Array | undefined,
  onDone: (rows: number) => void = () => {},
): Promise<ReEncryption<Row>> => {
  const counts = { reEncrypted: 0, kept: 0 };
  const undecryptable: Row[] = [];
  const one = async (row: Row): Promise<void> => {
    const reEncrypted = reEncrypt(row);
    if (reEncrypted === undefined) undecryptable.push(row);
    else if (reEncrypted === row.encrypted) counts.kept += 1;
    else if ((await column.write(pool, [row.id, row.encrypted, reEncrypted])).length > 0) counts.reEncrypted += 1;
    else {
      // changed meanwhile, or dropped
      const [changed] = await column.read(pool, [row.id]);
      if (changed) await one(changed);
      else counts.kept += 1;
    }
  };
  for await (const row of rowsOf(pool, column)) {
    await one(row);
    onDone(counts.reEncrypted + counts.kept + undecryptable.length);
  }
  return { ...counts, undecryptable };
};

export const reEncryptAccountKeys = (pool: Pool, keys: Keys): Promise<ReEncryption<Stored>> =>
  reEncryptAll(pool, accountKeys, ({ id, encrypted }) => reEncryptAccountKey(keys, id, encrypted));

export const reEncryptCredentials = (
  pool: Pool,
  secretsKeys: SecretsKeys,
  onDone: (connections: number) => void,
): Promise<ReEncryption<StoredCredentials>> =>
  reEncryptAll(
    pool,
    credentials,
    (row) => {
      const keys = connectionKeys(secretsKeys, row.platform);
      const under = encryptingKey(keys, row, row.encrypted);
      if (under === 'none') return undefined;
      return under === 'first'
        ? row.encrypted
        : encryptCredentials(keys, row, decryptCredentials(keys, row, row.encrypted));
    },
    onDone,
  );

/** The secrets under this key; undefined if it does not decrypt them. */
const sourceSecretsUnder = (key: Keys[number], row: Stored & CredentialsOwner): unknown => {
  try {
    return decryptSourceSecrets([key], row, row.encrypted);
  } catch {
    return undefined;
  }
};

export const reEncryptSourceSecrets = (
  pool: Pool,
  secretsKeys: SecretsKeys,
): Promise<ReEncryption<Stored & CredentialsOwner>> => {
  const keys = sourceKeys(secretsKeys);
  return reEncryptAll(pool, sourceSecrets, (row) => {
    const key = keys.find((one) => sourceSecretsUnder(one, row) !== undefined);
    if (key === undefined) return undefined;
    return key === keys[0] ? row.encrypted : encryptSourceSecrets(keys, row, sourceSecretsUnder(key, row));
  });
};
