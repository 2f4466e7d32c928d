import { openDatabase } from './database.ts';

// any number that no one else on the server locks by
const migrationLock = 7_236_118_401;

/**
 * Brings the database up to date. Several processes may call it at once: one migrates, the others wait for it.
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
    await lockHolder.query('select pg_advisory_lock($1)', [migrationLock]);
    const done = await database.orm.migrator.up();
    return done.map(({ name }) => name);
  } finally {
    // ends the session, and with it the lock
    lockHolder.release(true);
  }
};
