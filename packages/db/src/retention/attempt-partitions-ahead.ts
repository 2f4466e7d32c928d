import type { Pool } from 'pg';
import { preparedStatement } from '../prepared-statement.ts';
import { isCovered, monthOf, readAttemptPartitions } from './attempt-partitions.ts';

export interface AttemptPartitionsAhead {
  /** Whole months after the present one for which attempts have a partition; -1: the present month has none either. */
  readonly monthsAhead: number;
  /** Attempts that were caught by the default partition, for want of one of their own. */
  readonly rowsInDefault: number;
}

// By way of the whole table, which is all that the apps may read. After the last partition comes only the default one.
const countSince = preparedStatement<{ count: number }>(
  'count-attempts-since',
  'select count(*) from feedback_attempt where created_at >= $1',
);

/** How far ahead attempts have partitions. May be asked by whoever may read attempts. */
export const attemptPartitionsAhead = async (pool: Pool): Promise<AttemptPartitionsAhead> => {
  const { now, partitions } = await readAttemptPartitions(pool);
  let monthsAhead = -1;
  while (isCovered(partitions, monthOf(now, monthsAhead + 1))) monthsAhead += 1;
  const last = partitions.findLast(({ until }) => until !== null)?.until ?? new Date(0);
  const [row] = await countSince(pool, [last]);
  return { monthsAhead, rowsInDefault: row?.count ?? 0 };
};
