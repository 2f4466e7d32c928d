import type { Pool } from 'pg';

// that the server is lost is heard by whoever works under the lock, on a connection of their own
const ignore = () => {};

/**
 * Takes a lock that one session of the database can have, until it is disposed or the session ends; undefined where
 * another has it. Nobody waits inside a statement: its snapshot would be waited for by whoever builds an index beside.
 */
export const tryAdvisoryLock = async (pool: Pool, key: number): Promise<AsyncDisposable | undefined> => {
  const holder = await pool.connect();
  holder.on('error', ignore);
  const release = (error?: boolean) => {
    holder.off('error', ignore);
    holder.release(error);
  };
  const run = async (statement: string): Promise<boolean> => {
    try {
      const { rows } = await holder.query<{ done: boolean }>(statement, [key]);
      return rows[0]?.done === true;
    } catch (error) {
      release(true); // ends the session, and with it the lock
      throw error;
    }
  };
  if (!(await run('select pg_try_advisory_lock($1) as done'))) {
    release();
    return undefined;
  }
  return {
    async [Symbol.asyncDispose]() {
      // said, and not left to the end of the session: of that the server hears later than whoever wants the lock next
      const isSaid = await run('select pg_advisory_unlock($1) as done').catch(() => undefined);
      if (isSaid !== undefined) release();
    },
  };
};
