import { setTimeout } from 'node:timers/promises';
import { tryAdvisoryLock } from './advisory-lock.ts';
import { openDatabase } from './database.ts';
import { grantToApp } from './grant-to-app.ts';

// any number that no one else on the server locks by
const migrationLock = 7_236_118_401;
const pauseMs = 100;

/**
 * Brings the database up to date, and lets the apps' role work on it. Several processes may call it at once: one migrates,
 * the others wait for it. Gives the names of the migrations that it ran.
 */
export const migrate = async (url: string): Promise<string[]> => {
  await using database = await openDatabase({
    url,
    applicationName: 'leadback migrate',
    isPatient: true,
    isMade: true,
  });
  for (;;) {
    await using lock = await tryAdvisoryLock(database.pool, migrationLock);
    if (lock) {
      // before: apps that run may use a new table the moment it is there, as by a trigger. After: the first time there was none
      await grantToApp(database.pool);
      const done = await database.orm.migrator.up();
      await grantToApp(database.pool);
      return done.map(({ name }) => name);
    }
    await setTimeout(pauseMs);
  }
};
