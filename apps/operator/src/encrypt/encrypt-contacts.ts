import { setTimeout as pause } from 'node:timers/promises';
import { accountContactsAgeMaxMs, ensureAccountKey, inTransaction, type Pool, preparedStatement } from '@leadback/db';
import type { Keys } from '@leadback/secrets';
import { type KeysOfAccounts, type PlainTable, plainTables } from './plain-tables.ts';

export interface EncryptedRows {
  readonly accounts: number;
  readonly leads: number;
  readonly clients: number;
  readonly listedRows: number;
}

interface Options {
  readonly masterKeys: Keys;
  /** Default: all accounts but those whose key was dropped. */
  readonly accountId?: number | undefined;
  readonly tell: (done: number, total: number, what: string) => void;
  /** How long apps may know something else of an account. */
  readonly waitMs?: number;
}

const findAccounts = preparedStatement<{ id: number; has_key: boolean }>(
  'find-accounts-to-encrypt',
  `select id, data_key is not null as has_key from account
   where case when $1::bigint is null then not (encrypts_contacts and data_key is null) else id = $1 end order by id`,
);

const switchOn = preparedStatement<{ id: number }>(
  'switch-encryption-on',
  'update account set encrypts_contacts = true where id = any($1) and not encrypts_contacts returning id',
);

const idsPerStep = 1_000;
const marginMs = 1_000;

/** One pass over a table, a thousand ids per transaction. Returns how many rows were encrypted. */
const encryptTable = async (
  pool: Pool,
  { name, lastId, encrypt }: PlainTable,
  keys: KeysOfAccounts,
  tell: Options['tell'],
): Promise<number> => {
  const { rows } = await pool.query<{ last: string | null }>(lastId);
  const last = Number(rows[0]?.last ?? 0);
  let encrypted = 0;
  const step = name === 'listedRows' ? 1 : idsPerStep;
  for (let after = 0; after < last; after += step) {
    encrypted += await inTransaction(pool, (on) => encrypt(on, [after, after + step], keys));
    tell(Math.min(after + step, last), last, name);
  }
  return encrypted;
};

/**
 * Lets accounts write contact data encrypted, and encrypts what is stored, while apps are running; all of them must be of
 * this version. Repeats that until nothing is left to encrypt. If it is interrupted, the next call does the rest.
 */
export const encryptContacts = async (
  pool: Pool,
  { masterKeys, accountId, tell, waitMs = accountContactsAgeMaxMs + marginMs }: Options,
): Promise<EncryptedRows> => {
  const accounts = await findAccounts(pool, [accountId ?? null]);
  const keys = new Map<number, Awaited<ReturnType<typeof ensureAccountKey>>>();
  for (const { id } of accounts) keys.set(id, await ensureAccountKey(pool, masterKeys, id));
  // an app that does not know the key yet would not find what another one encrypts
  if (accounts.some((account) => !account.has_key)) await pause(waitMs);
  const switched = await switchOn(pool, [[...keys.keys()]]);
  const counts = { leads: 0, clients: 0, listedRows: 0 };
  const pass = async (): Promise<number> => {
    let encrypted = 0;
    for (const table of plainTables) {
      const rows = await encryptTable(pool, table, keys, tell);
      counts[table.name] += rows;
      encrypted += rows;
    }
    return encrypted;
  };
  await pass();
  // an app that does not know the switch yet has written more meanwhile
  if (switched.length > 0) await pause(waitMs);
  while ((await pass()) > 0);
  return { accounts: accounts.length, ...counts };
};
