import { type Pool, preparedStatement } from '@leadback/db';
import { isCovered, monthOf, readAttemptPartitions } from './attempt-partitions.ts';

export interface AttemptPartitionsAhead {
  /** Whole months after the current one with a partition; -1: the current month has none. */
  readonly monthsAhead: number;
  /** Attempts in the default partition, because their month has none. */
  readonly rowsInDefault: number;
}

// Reads through the whole table, the only one that apps may read. Only the default partition comes after the last one.
const countSince = preparedStatement<{ count: number }>(
  'count-attempts-since',
  'select count(*) from feedback_attempt where created_at >= $1',
);

/** Needs only read access to attempts. */
export const attemptPartitionsAhead = async (pool: Pool): Promise<AttemptPartitionsAhead> => {
  const { now, partitions } = await readAttemptPartitions(pool);
  let monthsAhead = -1;
  while (isCovered(partitions, monthOf(now, monthsAhead + 1))) monthsAhead += 1;
  const last = partitions.findLast(({ until }) => until !== null)?.until ?? new Date(0);
  const [row] = await countSince(pool, [last]);
  return { monthsAhead, rowsInDefault: row?.count ?? 0 };
};
