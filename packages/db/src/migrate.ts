import { openDatabase } from './database.ts';
import { grantToApp } from './grant-to-app.ts';

// any number that no one else on the server locks by
const migrationLock = 7_236_118_401;

/**
 * Brings the database up to date, and lets the apps' role work on it. Several processes may call it at once: one migrates, the others wait for it.
 * Gives the names of the migrations that it ran.
 */
export const migrate = async (url: string): Promise<string[]> => {
  await using database = await openDatabase({
    url,
    applicationName: 'leadback migrate',
    isPatient: true,
    isMade: true,
  });
  const lockHolder = await database.pool.connect();
  try {
    // the others may take as long as they need
    await lockHolder.query('set lock_timeout = 0');
    await lockHolder.query('select pg_advisory_lock($1)', [migrationLock]);
    // before: apps that run may use a new table the moment it is there, as by a trigger. After: the first time there was none
    await grantToApp(lockHolder);
    const done = await database.orm.migrator.up();
    await grantToApp(lockHolder);
    return done.map(({ name }) => name);
  } finally {
    // ends the session, and with it the lock
    lockHolder.release(true);
  }
};
