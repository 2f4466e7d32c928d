import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { accountKeysOpener, accountMasterKeys, type SecretsKeys } from '@leadback/domain/keys';
import { tryAdvisoryLock } from './transaction.ts';
import { type Database, openDatabase, type EntityManager } from './connect.ts';
import { grantToApps, prepareGrants } from './grant-to-apps.ts';
import { migrations } from './migrations/index.ts';
import { databaseErrorCode, isDatabaseUnavailable } from './failure.ts';

// any number that is used for no other lock on the server
const migrationLock = 7_236_118_401;
const pauseMs = 100;

/** Does work that no other process does meanwhile: concurrent calls wait. Creates the database if there is none. */
export const withMigrationLock = async <Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  await using database = await openDatabase({
    url,
    applicationName: 'leadback migrate',
    hasNoStatementTimeout: true,
    createsDatabase: true,
  });
  for (;;) {
    await using lock = await tryAdvisoryLock(database.pool, migrationLock);
    if (lock) return await work(database); // await: the lock is released when this function returns
    await setTimeout(pauseMs);
  }
};

// the ORM looks for its list in `public`, whatever the schema of the connection
const keepListInOwnSchema = async ({ pool, orm }: Database): Promise<void> => {
  const { rows } = await pool.query<{ schema: string }>('select current_schema() as schema');
  const tableName = `${rows[0]?.schema ?? 'public'}.mikro_orm_migrations`;
  orm.config.set('migrations', { ...orm.config.get('migrations'), tableName });
};

/** Like `migrate`, for those that have the lock. */
export const migrateAlone = async (database: Database): Promise<string[]> => {
  await prepareGrants(database.pool);
  await keepListInOwnSchema(database);
  const done = await database.orm.migrator.up();
  await grantToApps(database.pool);
  return done.map(({ name }) => name);
};

/**
 * Migrates the database and grants the apps' roles access. Concurrent calls are safe: one migrates, the others wait for
 * it. Returns the names of the migrations that it ran.
 */
export const migrate = (url: string): Promise<string[]> => withMigrationLock(url, migrateAlone);

export interface MigrationFacts {
  /** Migrations of this code that have not run. */
  readonly pending: readonly string[];
  /** Migrations that have run but are unknown to this code: newer code was deployed before. */
  readonly unknown: readonly string[];
  /** The one that ran last; undefined: none has run. */
  readonly newest: string | undefined;
}

const namesSchema = z.array(z.object({ name: z.string() }));

/** Compares the migrations that have run with those of this code. Reads only. */
export const readMigrationFacts = async (em: EntityManager): Promise<MigrationFacts> => {
  const rows = await em.execute(`select to_regclass('mikro_orm_migrations')::text as name`);
  const [table] = z.tuple([z.object({ name: z.string().nullable() })]).parse(rows);
  const known = migrations.map(({ name }) => name);
  if (table.name === null) return { pending: known, unknown: [], newest: undefined };
  const ran = namesSchema.parse(await em.execute('select name from mikro_orm_migrations order by id'));
  const names = ran.map(({ name }) => name);
  return {
    pending: known.filter((name) => !names.includes(name)),
    unknown: names.filter((name) => !known.includes(name)),
    newest: names.at(-1),
  };
};

const advice =
  'Run `database migrate` of the operator of this version, with the DATABASE_URL of leadback_owner, before you start the apps';

// no table, no right to read it, no schema: granted by `database migrate`
const neverMigrated = ['42P01', '42501', '3F000'];

const factsOf = async (database: Database): Promise<Pick<MigrationFacts, 'pending'> | undefined> => {
  try {
    return await readMigrationFacts(database.em());
  } catch (error) {
    if (neverMigrated.includes(databaseErrorCode(error) ?? '')) return { pending: ['all'] };
    if (isDatabaseUnavailable(error)) return undefined;
    throw error;
  }
};

/**
 * Throws if the database lacks migrations of this code, with the command that runs them. Newer migrations are fine, and so is
 * a database that is unavailable: apps start without it.
 */
export const assertMigrated = async (database: Database): Promise<void> => {
  const facts = await factsOf(database);
  if (facts === undefined || facts.pending.length === 0) return;
  throw new Error(`the database is not migrated (missing: ${facts.pending.slice(0, 3).join(', ')}). ${advice}`);
};

const keyAdvice =
  'Set the SECRETS_KEY with which the accounts were created (during a rotation: the new key, a comma, the former key), and start again';

interface Row {
  readonly id: number;
  readonly data_key: Buffer;
}

// during a rotation, some accounts have the former key; of a large installation, the newest accounts say enough
const newest = 'select id, data_key from account where data_key is not null order by id desc limit 20';

const newestAccounts = async ({ pool }: Database): Promise<readonly Row[]> => {
  try {
    return (await pool.query<Row>(newest)).rows;
  } catch (error) {
    if (isDatabaseUnavailable(error)) return [];
    throw error;
  }
};

/**
 * Throws if SECRETS_KEY decrypts the key of no account: it is valid, but of another installation. Without accounts, or while
 * the database is unavailable, every key is fine.
 */
export const assertSecretsKey = async (database: Database, secretsKeys: SecretsKeys): Promise<void> => {
  const open = accountKeysOpener(accountMasterKeys(secretsKeys));
  const accounts = await newestAccounts(database);
  const decrypts = ({ id, data_key: dataKey }: Row): boolean => {
    try {
      return Boolean(open(id, dataKey));
    } catch {
      return false;
    }
  };
  if (accounts.length === 0 || accounts.some(decrypts)) return;
  throw new Error(`SECRETS_KEY is not the key of this database: it decrypts the key of no account. ${keyAdvice}`);
};
