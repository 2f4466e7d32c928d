import type { Pool, PoolClient } from 'pg';
import { failureScopeOf } from './database-failure.ts';

// a broken connection fails the current statement; without a listener its error event would end the process as well
const ignoreError = () => {};

/**
 * Rolls back and ends the session. PostgreSQL notices such an end a moment later; if the items of the work will be tried
 * one by one, it rolls back before, so that they do not find the locks of this transaction.
 */
const abandon = async (client: PoolClient, failure: unknown): Promise<void> => {
  const scope = failureScopeOf(failure);
  if (scope === 'item' || scope === 'blocked') await client.query('rollback').catch(ignoreError);
  client.release(true);
};

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
      await abandon(client, error);
      throw error;
    }
  };

/**
 * Runs the work in one transaction. If it throws, nothing was changed, unless the connection broke during the commit.
 */
export const inTransaction = transaction('commit');

/** Runs the work in one transaction that changes nothing. Sequences advance. */
export const inTransactionRolledBack = transaction('rollback');
