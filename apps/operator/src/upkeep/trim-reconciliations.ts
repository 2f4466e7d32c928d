import { type Pool, preparedStatement } from '@leadback/db';
import { deleteReconciliation } from '@leadback/intake';

interface ReconciliationTrimming {
  readonly days: number;
  readonly isDryRun: boolean;
  /** Called with the number of those deleted so far. */
  readonly tell: (reconciliations: number) => void;
}

const findOld = preparedStatement<{ id: number }>(
  'find-old-reconciliations',
  `select id from reconciliation where created_at < now() - $1 * interval '1 day' order by id`,
);

/** Deletes reconciliations, with the partners' lists, that are older than so many days. Returns how many. */
export const trimReconciliations = async (
  pool: Pool,
  { days, isDryRun, tell }: ReconciliationTrimming,
): Promise<number> => {
  const old = await findOld(pool, [days]);
  if (isDryRun) return old.length;
  for (const [index, { id }] of old.entries()) {
    await deleteReconciliation(pool, id);
    tell(index + 1);
  }
  return old.length;
};
