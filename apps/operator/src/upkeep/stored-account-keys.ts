import { type Database, preparedStatement } from '@leadback/db';

export interface StoredAccountKey {
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
export const readAccountKey = async (pool: Pool, id: number): Promise<StoredAccountKey | undefined> => {
  const [row] = await readOne(pool, [id]);
  return row;
};
