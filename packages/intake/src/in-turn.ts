import type { AccountMode } from '@leadback/domain';
import { inTransaction, type Pool, type PoolClient, preparedStatement } from '@leadback/db';

const lock = preparedStatement(
  'take-turn',
  `select pg_advisory_xact_lock(hashtextextended(concat_ws(' ', $1::text, $2::bigint, $3::boolean), 31))`,
);

/**
 * Runs short work in a transaction. Works of one kind, account and mode take turns, so that each sees what those before
 * have committed, such as how many files are open.
 */
export const inTurn = <Result>(
  pool: Pool,
  kind: 'import upload' | 'reconciliation upload',
  { accountId, isTest }: AccountMode,
  work: (on: PoolClient) => Promise<Result>,
): Promise<Result> =>
  inTransaction(pool, async (on) => {
    await lock(on, [kind, accountId, isTest]);
    return work(on);
  });
