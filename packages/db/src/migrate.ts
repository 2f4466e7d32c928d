import { setTimeout } from 'node:timers/promises';
import { tryAdvisoryLock } from './advisory-lock.ts';
import { type Database, openDatabase } from './database.ts';
import { grantToApps, prepareGrants } from './grant-to-apps.ts';

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
