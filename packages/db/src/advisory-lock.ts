import type { Pool } from 'pg';

/**
 * Takes a lock that one session of the database can have, until it is disposed or the session ends; undefined where
 * another has it. Nobody waits inside a statement: its snapshot would be waited for by whoever builds an index beside.
 */
export const tryAdvisoryLock = async (pool: Pool, key: number): Promise<AsyncDisposable | undefined> => {
  const holder = await pool.connect();
  holder.on('error', () => {}); // whoever works under the lock hears of it by their own connection
  try {
    const { rows } = await holder.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [key]);
    if (rows[0]?.taken !== true) {
      holder.release();
      return undefined;
    }
  } catch (error) {
    holder.release(true);
    throw error;
  }
  // ends the session, and with it the lock
  return { [Symbol.asyncDispose]: async () => holder.release(true) };
};
