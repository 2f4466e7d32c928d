import { type Pool, preparedStatement } from '@leadback/db';

export interface AttemptPartition {
  readonly name: string;
  /** Receives rows that have no partition of their own. */
  readonly isDefault: boolean;
  /** Inclusive; null: unbounded. */
  readonly from: Date | null;
  /** Exclusive; null: unbounded. */
  readonly until: Date | null;
}

export interface AttemptPartitions {
  /** PostgreSQL's clock. */
  readonly now: Date;
  /** In order of time. */
  readonly partitions: readonly AttemptPartition[];
}

/** The beginning of the month that is `monthsLater` months after the month of a moment. */
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
  if (!time) throw new Error('select now() returned no row');
  return { now: time.now, partitions: await partitionsOf(pool, []) };
};

/** Whether a moment is in a partition other than the default one. */
export const isCovered = (partitions: readonly AttemptPartition[], moment: Date): boolean =>
  partitions.some(({ from, until }) => until !== null && moment < until && (from === null || moment >= from));
