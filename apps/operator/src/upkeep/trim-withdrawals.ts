import { type Pool, preparedStatement } from '@leadback/db';

const old = `asked_at < now() - $1 * interval '1 day'`;

const count = preparedStatement<{ rows: number }>(
  'count-old-withdrawals',
  `select count(*) as rows from consent_withdrawal where ${old}`,
);

const remove = preparedStatement('delete-old-withdrawals', `delete from consent_withdrawal where ${old} returning 1`);

/**
 * Deletes wishes of visitors whose buffered leads were never recorded: there are few. Returns how many; a dry run only
 * counts them.
 */
export const trimWithdrawals = async (
  pool: Pool,
  { days, isDryRun }: { readonly days: number; readonly isDryRun: boolean },
): Promise<number> => (isDryRun ? ((await count(pool, [days]))[0]?.rows ?? 0) : (await remove(pool, [days])).length);
