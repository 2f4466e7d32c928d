import {
  isDatabaseUnavailable,
  isStatementTimeout,
  transaction,
  type Pool,
  type PoolClient,
  preparedStatement,
} from '@leadback/db';
import type { AccountMode } from '@leadback/domain';

/** After so many failures without a slice in between, the work on a list or a file ends. */
const triesMax = 10;

/**
 * Whether a failure of a slice counts. The failures of a database that is away do not: every list would end with them.
 * A statement that takes too long counts, because the next one mostly does as well.
 */
export const isCountedFailure = (error: unknown): boolean => !isDatabaseUnavailable(error) || isStatementTimeout(error);

/** SQL: whether this failure is the last one, if it counts. */
export const isLastTry = `failures + 1 >= ${triesMax}`;

/** SQL: the pause after a failure that counts. All of them take about four minutes. */
export const pauseAfterFailure = `least(power(2, failures), 60) * interval '1 s'`;

const lock = preparedStatement(
  'take-turn',
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
