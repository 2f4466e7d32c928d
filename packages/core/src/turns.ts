import { transaction, type Pool, type PoolClient, statement } from '@leadback/db';
import type { AccountMode } from '@leadback/domain';

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
