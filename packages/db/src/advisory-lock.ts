import type { Pool } from 'pg';

// the work under the lock uses its own connection, where the loss of the server is reported
const ignore = () => {};

/**
 * Takes a lock that one database session can hold, until it is disposed or the session ends; undefined if another
 * session holds it. Does not wait inside a statement: a concurrent index build would have to wait for its snapshot.
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
      release(true); // ends the session and releases the lock
      throw error;
    }
  };
  if (!(await run('select pg_try_advisory_lock($1) as done'))) {
    release();
    return undefined;
  }
  return {
    async [Symbol.asyncDispose]() {
      // explicitly: the server notices the end of a session too late for the next process that takes the lock
      const isSaid = await run('select pg_advisory_unlock($1) as done').catch(() => undefined);
      if (isSaid !== undefined) release();
    },
  };
};
