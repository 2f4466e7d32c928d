import { setTimeout } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { failureScopeOf, isLockTimeout } from './failure.ts';
import { preparedStatement, type Queryable } from './prepared-statement.ts';

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

// any number that begins the locks of nothing else
const lockOf = (account: string) => `hashtextextended('erasure in account ' || ${account}, 34)`;

const share = preparedStatement(
  'record-beside-erasures',
  `select pg_advisory_xact_lock_shared(${lockOf('id')}) from unnest($1::bigint[]) account (id) order by id`,
);

const take = preparedStatement('erase-alone', `select pg_advisory_xact_lock(${lockOf('$1::bigint')})`);

/**
 * Waits for erasures in these accounts that are about to end, and lets none go on until the end of this transaction:
 * statements that follow see what was erased, and erasures see what they record.
 */
export const recordBesideErasures = async (on: Queryable, accountIds: readonly number[]): Promise<void> => {
  await share(on, [[...new Set(accountIds)]]);
};

/** The other side: nothing that an erasure may concern is recorded until the end of this transaction. */
export const eraseAlone = async (on: Queryable, accountId: number): Promise<void> => {
  await take(on, [accountId]);
};

// longer than the vacuum of a large table, whose lock conflicts
const timeoutMs = 15 * 60_000;
const pauseMs = 500;

/** Repeats the work while it fails with a lock timeout, for at most 15 minutes. */
export const withLockRetry = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (const startedAt = performance.now(); ; ) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() - startedAt > timeoutMs) throw error;
    }
    await setTimeout(pauseMs * (1 + Math.random()));
  }
};
