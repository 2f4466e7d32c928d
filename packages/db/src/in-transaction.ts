import type { Pool, PoolClient } from 'pg';

// a broken connection fails the current statement; without a listener its error event would end the process as well
const ignoreError = () => {};

const transaction =
  (end: 'commit' | 'rollback') =>
  async <Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect();
    client.on('error', ignoreError);
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query(end);
      client.off('error', ignoreError);
      client.release();
      return result;
    } catch (error) {
      client.release(true); // ends the session and rolls back the transaction
      throw error;
    }
  };

/**
 * Runs the work in one transaction. If it throws, nothing was changed, unless the connection broke during the commit.
 */
export const inTransaction = transaction('commit');

/** Runs the work in one transaction that changes nothing. Sequences advance. */
export const inTransactionRolledBack = transaction('rollback');
