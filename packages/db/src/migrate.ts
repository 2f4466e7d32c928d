import { setTimeout } from 'node:timers/promises';
import { tryAdvisoryLock } from './advisory-lock.ts';
import { openDatabase } from './database.ts';
import { grantToApps, prepareGrants } from './grant-to-apps.ts';

// any number that is used for no other lock on the server
const migrationLock = 7_236_118_401;
const pauseMs = 100;

/**
 * Migrates the database and grants the apps' roles access. Concurrent calls are safe: one migrates, the others wait for
 * it. Returns the names of the migrations that it ran.
 */
export const migrate = async (url: string): Promise<string[]> => {
  await using database = await openDatabase({
    url,
    applicationName: 'leadback migrate',
    hasNoStatementTimeout: true,
    createsDatabase: true,
  });
  for (;;) {
    await using lock = await tryAdvisoryLock(database.pool, migrationLock);
    if (lock) {
      await prepareGrants(database.pool);
      const done = await database.orm.migrator.up();
      await grantToApps(database.pool);
      return done.map(({ name }) => name);
    }
    await setTimeout(pauseMs);
  }
};
