import type { Pool } from 'pg';
import { preparedStatement } from '../prepared-statement.ts';

export interface AttemptPartition {
  readonly name: string;
  /** Catches what has no partition of its own. */
  readonly isDefault: boolean;
  /** Its first moment; null: from the beginning. */
  readonly from: Date | null;
  /** The first moment after it. */
  readonly until: Date | null;
}

export interface AttemptPartitions {
  /** By PostgreSQL's clock. */
  readonly now: Date;
  /** In the order of time. */
  readonly partitions: readonly AttemptPartition[];
}

/** The beginning of a month, so many months after the one that a moment is in. */
export const monthOf = (moment: Date, monthsLater = 0): Date =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + monthsLater));

const clock = preparedStatement<{ now: Date }>('clock', 'select now()');

const partitionsOf = preparedStatement<AttemptPartition>(
  'attempt-partitions',
  `select name, bound = 'DEFAULT' as "isDefault",
          (regexp_match(bound, 'FROM \\(''([^'']+)''\\)'))[1]::timestamptz as from,
          (regexp_match(bound, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz as until
   from pg_inherits join pg_class c on c.oid = inhrelid
   cross join lateral (select relname as name, pg_get_expr(relpartbound, c.oid) as bound) named
   where inhparent = 'feedback_attempt'::regclass
   order by until nulls last`,
);

export const readAttemptPartitions = async (pool: Pool): Promise<AttemptPartitions> => {
  const [time] = await clock(pool, []);
  if (!time) throw new Error('the database has no time');
  return { now: time.now, partitions: await partitionsOf(pool, []) };
};

/** Whether a moment is in a partition other than the default one. */
export const isCovered = (partitions: readonly AttemptPartition[], moment: Date): boolean =>
  partitions.some(({ from, until }) => until !== null && moment < until && (from === null || moment >= from));
