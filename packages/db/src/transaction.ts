import { setTimeout } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { type CustomTypesConfig, type Pool, type PoolClient, type QueryResultRow, types } from 'pg';
import { databaseErrorCode, failureScopeOf, isLockTimeout } from './failure.ts';

/** Where a statement runs: a pool, the client of a transaction, or an entity manager, in its transaction if it has one. */
export type Queryable = Pool | PoolClient | EntityManager;

/** The transaction of an entity manager: MikroORM runs its statements on the client through it. */
class OpenTransaction {
  readonly client: PoolClient;

  constructor(client: PoolClient) {
    this.client = client;
  }

  async executeQuery({ sql, parameters }: { readonly sql: string; readonly parameters: readonly unknown[] }) {
    const { rows, rowCount } = await this.client.query<QueryResultRow>(sql, [...parameters]);
    return { rows, numAffectedRows: rowCount ?? rows.length };
  }
}

const clientOf = (em: EntityManager): PoolClient | undefined => {
  const open: unknown = em.getTransactionContext();
  return open instanceof OpenTransaction ? open.client : undefined;
};

const poolOf = (em: EntityManager): Promise<Pool> => em.getConnection().getNativeClient();

// ids and counts stay below 2^53
const numbers: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
};

const run = async <Row extends QueryResultRow>(
  on: Queryable,
  { name, text, values }: { readonly name?: string; readonly text: string; readonly values: readonly unknown[] },
): Promise<Row[]> => {
  const connection = on instanceof EntityManager ? (clientOf(on) ?? (await poolOf(on))) : on;
  const { rows } = await connection.query<Row>({ ...(name && { name }), text, values: [...values], types: numbers });
  return rows;
};

/**
 * A statement that each connection parses and plans once: the fastest way to run one, for what is run all the time. `int8`
 * is returned as a number, `timestamptz` as a Date, `numeric` as a string.
 *
 * Its plan is kept whatever its values are, and may have been made while the tables were empty. So those that run most
 * leave PostgreSQL one plan, which is good at every size: each row is looked up by its own key, in a lateral join with a
 * limit, and `account_id + 0` keeps out the indexes by account, which would read all rows of it. The test of plans holds
 * them to it.
 */
export const preparedStatement =
  <Row extends QueryResultRow>(name: string, text: string) =>
  (on: Queryable, values: readonly unknown[]): Promise<Row[]> =>
    run<Row>(on, { name, text, values });

/**
 * A statement that PostgreSQL plans each time for the values that it has and the tables as they are: for what is run
 * seldom, or has conditions that may be left out. The rows are those of a `preparedStatement`.
 */
export const statement =
  <Row extends QueryResultRow>(text: string) =>
  (on: Queryable, values: readonly unknown[]): Promise<Row[]> =>
    run<Row>(on, { text, values });

/** Bytes in a JSON parameter, as PostgreSQL reads a `bytea`. */
export const byteaText = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

// a broken connection fails the current statement; without a listener its error event would end the process as well
const ignoreError = () => {};

/**
 * Rolls back. After a failure of the database it ends the session as well, which PostgreSQL notices a moment later: items
 * of the work that are tried one by one must not find the locks of this transaction.
 */
const abandon = async (client: PoolClient, failure: unknown): Promise<void> => {
  const isLost = failureScopeOf(failure) === 'all';
  const isRolledBack = !isLost && (await client.query('rollback').then(Boolean, () => false));
  if (!isRolledBack || databaseErrorCode(failure) !== undefined) return client.release(true);
  client.off('error', ignoreError);
  client.release();
};

const effectsOf = new WeakMap<PoolClient, (() => void)[]>();

const onClient =
  (end: 'commit' | 'rollback') =>
  async <Result>(pool: Pool, work: (tx: PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect();
    const effects: (() => void)[] = [];
    effectsOf.set(client, effects);
    client.on('error', ignoreError);
    let result: Result;
    try {
      await client.query('begin');
      result = await work(client);
      const { command } = await client.query(end);
      // to PostgreSQL, the commit of a transaction in which a statement failed is a rollback, and no error
      if (end === 'commit' && command !== 'COMMIT')
        throw new Error('a failed statement of the transaction was ignored');
    } catch (error) {
      effectsOf.delete(client);
      await abandon(client, error);
      throw error;
    }
    effectsOf.delete(client);
    client.off('error', ignoreError);
    client.release();
    if (end === 'commit') for (const effect of effects) effect();
    return result;
  };

const commit = onClient('commit');

const onEntityManager = async <Result>(
  em: EntityManager,
  work: (tx: EntityManager) => Promise<Result>,
): Promise<Result> => {
  try {
    return await commit(await poolOf(em), async (client) => {
      em.setTransactionContext(new OpenTransaction(client));
      try {
        const result = await work(em);
        await em.flush();
        return result;
      } finally {
        em.resetTransactionContext();
      }
    });
  } catch (error) {
    em.clear(); // nothing of it may be saved later
    throw error;
  }
};

type OfEntities<Result> = readonly [on: EntityManager, work: (tx: EntityManager) => Promise<Result>];
type OfStatements<Result> = readonly [on: Pool | PoolClient, work: (tx: PoolClient) => Promise<Result>];

const isOfEntities = <Result>(given: OfEntities<Result> | OfStatements<Result>): given is OfEntities<Result> =>
  given[0] instanceof EntityManager;

/**
 * Runs the work in one transaction: that in which it is called, or a new one. If it throws, nothing was changed, unless the
 * connection broke during the commit. With an entity manager, its changes are saved at the end. The work must have ended
 * once it throws: others get the connection then, so no part of it runs beside another in `Promise.all`.
 */
export function transaction<Result>(...given: OfEntities<Result>): Promise<Result>;
export function transaction<Result>(...given: OfStatements<Result>): Promise<Result>;
export async function transaction<Result>(...given: OfEntities<Result> | OfStatements<Result>): Promise<Result> {
  if (isOfEntities(given)) {
    const [em, work] = given;
    return clientOf(em) ? work(em) : onEntityManager(em, work);
  }
  const [on, work] = given;
  return 'release' in on ? work(on) : commit(on, work);
}

/** The same for work that runs statements alone, wherever its caller runs. */
export const transactionOn = <Result>(on: Queryable, work: (tx: Queryable) => Promise<Result>): Promise<Result> =>
  on instanceof EntityManager ? transaction(on, work) : transaction(on, work);

/** Runs the work in one transaction that changes nothing. Sequences advance. */
export const rolledBack = onClient('rollback');

/**
 * Calls the effect once the transaction is committed, and never if it is not. It must not throw. At once if there is no
 * transaction.
 */
export const afterCommit = (on: Queryable, effect: () => void): void => {
  const client = on instanceof EntityManager ? clientOf(on) : on;
  const effects = client && 'release' in client ? effectsOf.get(client) : undefined;
  if (effects) effects.push(effect);
  else effect();
};

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
  const isDone = async (text: string): Promise<boolean> => {
    try {
      const { rows } = await holder.query<{ done: boolean }>(text, [key]);
      return rows[0]?.done === true;
    } catch (error) {
      release(true); // ends the session and releases the lock
      throw error;
    }
  };
  if (!(await isDone('select pg_try_advisory_lock($1) as done'))) {
    release();
    return undefined;
  }
  return {
    async [Symbol.asyncDispose]() {
      // explicitly: the server notices the end of a session too late for the next process that takes the lock
      const isSaid = await isDone('select pg_advisory_unlock($1) as done').catch(() => undefined);
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
