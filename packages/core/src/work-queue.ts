import {
  transaction,
  isDatabaseUnavailable,
  isStatementTimeout,
  type Pool,
  type PoolClient,
  statement,
  type Queryable,
} from '@leadback/db';
import type { AccountMode } from '@leadback/domain';
import { announceFinished } from './delivery/webhook-deliveries.ts';

/**
 * Work that stands in rows of a table, which have the columns `due_at` (when it goes on), `failures` (how often it has
 * failed since it last went on) and `finished_at`. What is due longest is next; a row is locked while it is worked on.
 */
interface WorkQueue {
  readonly table: 'import' | 'reconciliation' | 'erasure' | 'retry_task' | 'source_event';
  /** SQL: whether a row has work. */
  readonly isOpen: string;
  /** After so many failures without success in between, it is given up. */
  readonly triesMax: number;
  readonly pauseMaxSeconds: number;
  /** SQL: the columns of a row that is given up. It must not be open any more. */
  readonly givenUp: Readonly<Record<string, string>>;
  /** SQL: whether a row may be given up; default: each. */
  readonly mayEnd?: string;
  /** SQL: an assignment with each failure. */
  readonly withEach?: string;
  /** As what webhooks are told of a row that is given up. */
  readonly announcedAs?: 'import' | 'reconciliation';
}

/** What happened to a row whose work failed. Undefined: it has no work any more. */
type NoteFailure = (on: Queryable, id: number | string, error: unknown) => Promise<'retry' | 'given-up' | undefined>;

/**
 * Whether a failure counts. The failures of a database that is away do not: all work would end with them. A statement that
 * takes too long counts, because the next one mostly does as well.
 */
export const isCounted = (error: unknown): boolean => !isDatabaseUnavailable(error) || isStatementTimeout(error);

/**
 * Returns a function, a statement that notes a failure: the row waits behind others and, if the failure counts, longer each
 * time; after the last one it is given up.
 */
export const failureOf = ({ table, isOpen, triesMax, pauseMaxSeconds, ...queue }: WorkQueue): NoteFailure => {
  const isLast = `$2 and failures + 1 >= ${triesMax} and ${queue.mayEnd ?? 'true'}`;
  const ends = Object.entries(queue.givenUp).map(
    ([column, value]) => `${column} = case when ${isLast} then ${value} else ${column} end`,
  );
  const toldOf =
    queue.announcedAs &&
    `finished as (
     select id, account_id, is_test, 'failed' as state, counts from noted where is_given_up and finished_at = now()
   ), ${announceFinished(queue.announcedAs)}`;
  const note = statement<{ isGivenUp: boolean }>(
    `with noted as (
       update ${table}
       set failures = failures + case when $2 then 1 else 0 end,
           due_at = clock_timestamp()
                    + case when $2 then least(power(2, least(failures, 16)), ${pauseMaxSeconds}) else 0 end * interval '1 second',
           ${[...ends, ...(queue.withEach === undefined ? [] : [queue.withEach])].join(', ')}
       where id = $1 and (${isOpen})
       returning *, (${isOpen}) is not true as is_given_up
     )${toldOf === undefined ? '' : `, ${toldOf}`}
     select is_given_up as "isGivenUp" from noted`,
  );
  return async (on, id, error) => {
    const [noted] = await note(on, [id, isCounted(error)]);
    if (!noted) return undefined;
    return noted.isGivenUp ? 'given-up' : 'retry';
  };
};

const undo = 'rollback to savepoint work; release savepoint work';

const inSavepointUntil =
  (end: string) =>
  async <Result>(on: PoolClient, work: () => Promise<Result>): Promise<Result> => {
    await on.query('savepoint work');
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      // if the connection is lost, the first failure matters
      await on.query(undo).catch(() => {});
      throw error;
    }
    await on.query(end);
    return result;
  };

/** Runs work in a transaction; if it throws, what it has changed is undone, and the transaction goes on. */
export const inSavepoint = inSavepointUntil('release savepoint work');

/** Runs work in a transaction and undoes what it has changed. */
export const tryOut = inSavepointUntil(undo);

/** A row that was worked on, with the result of its work or its failure. */
type Worked<Row, Result> =
  | { readonly row: Row; readonly result: Result }
  | { readonly row: Row; readonly error: unknown; readonly isGivenUp: boolean };

interface WorkOn<Row, Result> {
  /** Locks the next row: `for update skip locked`. */
  readonly take: (on: PoolClient) => Promise<Row | undefined>;
  readonly work: (on: PoolClient, row: Row) => Promise<Result>;
  readonly noteFailure: NoteFailure;
}

/**
 * Works on the next row in one transaction, which a failure of the work undoes and notes: a process that is killed has
 * changed nothing, and concurrent calls take different rows. Undefined if none is due, or others work on all. Throws if
 * PostgreSQL is unavailable.
 */
export const workOnNext = async <Row extends { readonly id: number | string }, Result>(
  pool: Pool,
  { take, work, noteFailure }: WorkOn<Row, Result>,
): Promise<Worked<Row, Result> | undefined> => {
  const worked = await transaction(pool, async (on): Promise<Worked<Row, Result> | undefined> => {
    const row = await take(on);
    if (!row) return undefined;
    try {
      return { row, result: await inSavepoint(on, () => work(on, row)) };
    } catch (error) {
      const noted = await noteFailure(on, row.id, error).catch(() => {
        throw error;
      });
      return { row, error, isGivenUp: noted === 'given-up' };
    }
  });
  if (worked && 'error' in worked && !isCounted(worked.error)) throw worked.error;
  return worked;
};

const lock = statement(
  `select pg_advisory_xact_lock(hashtextextended(concat_ws(' ', $1::text, $2::bigint, $3::boolean), 31))`,
);

type Kind = 'import upload' | 'reconciliation upload';

/** Waits, in a transaction, until the works of one kind, account and mode that have the turn have ended. */
export const takeTurn = async (on: PoolClient, kind: Kind, { accountId, isTest }: AccountMode): Promise<void> => {
  await lock(on, [kind, accountId, isTest]);
};

/**
 * Runs short work in a transaction. Works of one kind, account and mode take turns, so that each sees what those before
 * have committed, such as how many files are open.
 */
export const inTurn = <Result>(
  pool: Pool,
  kind: Kind,
  mode: AccountMode,
  work: (on: PoolClient) => Promise<Result>,
): Promise<Result> =>
  transaction(pool, async (on) => {
    await takeTurn(on, kind, mode);
    return work(on);
  });
