import { type Pool, preparedStatement } from '@leadback/db';

interface AttemptPartition {
  readonly name: string;
  /** Receives rows that have no partition of their own. */
  readonly isDefault: boolean;
  /** Inclusive; null: unbounded. */
  readonly from: Date | null;
  /** Exclusive; null: unbounded. */
  readonly until: Date | null;
}

interface AttemptPartitions {
  /** PostgreSQL's clock. */
  readonly now: Date;
  /** In order of time. */
  readonly partitions: readonly AttemptPartition[];
}

/** The beginning of the month that is `monthsLater` months after the month of a moment. */
const monthOf = (moment: Date, monthsLater = 0): Date =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + monthsLater));

const clock = preparedStatement<{ now: Date }>('clock', 'select now()');

const partitionsOf = preparedStatement<AttemptPartition>(
  'attempt-partitions',
  `select name, bound = 'DEFAULT' as "isDefault",
          (regexp_match(bound, 'FROM \\(''([^'']+)''\\)'))[1]::timestamptz as from,
          (regexp_match(bound, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz as until
   from pg_inherits join pg_class c on c.oid = inhrelid
   cross join lateral (select relname as name, pg_get_expr(relpartbound, c.oid) as bound) named
   where inhparent = 'delivery_attempt'::regclass
   order by until nulls last`,
);

const readAttemptPartitions = async (pool: Pool): Promise<AttemptPartitions> => {
  const [time] = await clock(pool, []);
  if (!time) throw new Error('select now() returned no row');
  return { now: time.now, partitions: await partitionsOf(pool, []) };
};

/** Whether a moment is in a partition other than the default one. */
const isCovered = (partitions: readonly AttemptPartition[], moment: Date): boolean =>
  partitions.some(({ from, until }) => until !== null && moment < until && (from === null || moment >= from));

interface AttemptPartitionsAhead {
  /** Whole months after the current one with a partition; -1: the current month has none. */
  readonly monthsAhead: number;
  /** Attempts in the default partition, because their month has none. */
  readonly rowsInDefault: number;
}

// Reads through the whole table, the only one that apps may read. Only the default partition comes after the last one.
const countSince = preparedStatement<{ count: number }>(
  'count-attempts-since',
  'select count(*) from delivery_attempt where created_at >= $1',
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
