import { type Pool, preparedStatement, changeWithLockRetry } from '@leadback/db';

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

const monthsAhead = 3;
const dayMs = 24 * 60 * 60 * 1_000;

const monthName = (month: Date) => month.toISOString().slice(0, 7).replace('-', '_');
const lastMonthBefore = (until: Date) => monthOf(until, -1);

const nameOf = (from: Date, until: Date): string => {
  const [first, last] = [monthName(from), monthName(lastMonthBefore(until))];
  return first === last ? `delivery_attempt_${first}` : `delivery_attempt_${first}_to_${last}`;
};

const bounds = (from: Date, until: Date) => `for values from ('${from.toISOString()}') to ('${until.toISOString()}')`;

const change = (pool: Pool, ddl: string) =>
  changeWithLockRetry((sql) => pool.query(sql), { tables: ['delivery_attempt'], change: ddl });

/** The new bounds of the default partition, if it has rows or the current month has no other partition. */
const adoption = async (pool: Pool, now: Date, partitions: readonly AttemptPartition[]) => {
  const name = partitions.find(({ isDefault }) => isDefault)?.name;
  if (name === undefined) throw new Error('the table delivery_attempt has no default partition');
  const span = preparedStatement<{ first: Date | null; last: Date | null }>(
    'span-of-default-partition',
    `select min(created_at) as first, max(created_at) as last from ${name}`,
  );
  const [{ first, last } = { first: null, last: null }] = await span(pool, []);
  const isPresentCovered = isCovered(partitions, now);
  if (first === null && isPresentCovered) return undefined;
  // weeks ahead, so that no row is rejected if this is interrupted after the bounds are set
  const ends = [...(last ? [monthOf(last, 1)] : []), ...(isPresentCovered ? [] : [monthOf(now, 2)])];
  const until = new Date(Math.max(...ends.map(Number)));
  return { name, from: monthOf(first ?? now), until };
};

/**
 * Turns the default partition, unchanged, into a regular one and adds an empty default partition. That all its rows are
 * within the bounds is checked beforehand, without blocking other statements.
 */
const adopt = async (pool: Pool, { name, from, until }: { name: string; from: Date; until: Date }): Promise<void> => {
  const adopted = nameOf(from, until);
  await changeWithLockRetry((sql) => pool.query(sql), {
    tables: [name],
    change: `alter table ${name}
      drop constraint if exists delivery_attempt_range_check,
      add constraint delivery_attempt_range_check
        check (created_at >= '${from.toISOString()}' and created_at < '${until.toISOString()}') not valid`,
  });
  await pool.query(`alter table ${name} validate constraint delivery_attempt_range_check`);
  await change(
    pool,
    `alter table delivery_attempt detach partition ${name};
     alter table ${name} rename to ${adopted};
     alter table delivery_attempt attach partition ${adopted} ${bounds(from, until)};
     alter table ${adopted} drop constraint delivery_attempt_range_check;
     create table ${name} partition of delivery_attempt default`,
  );
};

export interface KeptPartitions {
  readonly made: readonly string[];
  readonly dropped: readonly string[];
}

/**
 * Ensures partitions for this month and the next three, and drops those in which all attempts are older than so many
 * days (undefined: none). Blocks other statements for less than a second. Requires the owner of the table.
 */
export const keepAttemptPartitions = async (
  pool: Pool,
  { days, isDryRun }: { readonly days: number | undefined; readonly isDryRun: boolean },
): Promise<KeptPartitions> => {
  const { now, partitions } = await readAttemptPartitions(pool);
  const made: string[] = [];

  const adopted = await adoption(pool, now, partitions);
  if (adopted) {
    made.push(nameOf(adopted.from, adopted.until));
    if (!isDryRun) await adopt(pool, adopted);
  }

  const present = adopted ? [...partitions, { ...adopted, isDefault: false }] : partitions;
  for (let later = 0; later <= monthsAhead; later += 1) {
    const [from, until] = [monthOf(now, later), monthOf(now, later + 1)];
    if (isCovered(present, from)) continue;
    const name = nameOf(from, until);
    made.push(name);
    if (!isDryRun) await change(pool, `create table ${name} partition of delivery_attempt ${bounds(from, until)}`);
  }

  const keptSince = days === undefined ? undefined : now.getTime() - days * dayMs;
  const dropped = partitions
    .filter(({ until }) => until !== null && keptSince !== undefined && until.getTime() <= keptSince)
    .map(({ name }) => name);
  if (!isDryRun) for (const name of dropped) await change(pool, `drop table ${name}`);
  return { made, dropped };
};
