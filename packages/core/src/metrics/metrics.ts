import { z } from 'zod';
import { zoneOf } from '../accounts/days.ts';
import { clickDimensions, itsName, namedBy } from './clicks.ts';
import { preparedStatement, type Queryable, statement } from '@leadback/db';
import { shownSlug } from '../pages/list-pages.ts';

export const metricDimensions = ['day', 'page', ...clickDimensions] as const;
export type MetricDimension = (typeof metricDimensions)[number];

interface MetricsQuestion {
  readonly accountId: number;
  /** Days of the account, both inclusive; `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  /** The dimensions to group by; all others are summed up. */
  readonly by: readonly MetricDimension[];
  /** Default: all rows. */
  readonly limit?: number | undefined;
}

const rowsSchema = z.array(
  z.object({
    day: z.string().nullable(),
    page: z.string().nullable(),
    platform: z.string().nullable(),
    source: z.string().nullable(),
    medium: z.string().nullable(),
    campaign: z.string().nullable(),
    term: z.string().nullable(),
    content: z.string().nullable(),
    values: z.record(z.string(), z.number()),
  }),
);

/** `page`: its slug. A dimension that was not requested is null, and so is what a click does not say. */
export type AccountMetricsRow = Readonly<z.infer<typeof rowsSchema>[number]>;

const columnOf = (name: MetricDimension): string => {
  if (name === 'day') return 'm.day::text';
  return name === 'page' ? shownSlug() : `nullif(${namedBy('m.campaign', name)}, '')`;
};

const places = metricDimensions.map((_, index) => index + 1).join(', ');

/**
 * Returns the metrics of an account, sorted by the dimensions. `values` has a number for each measure with data:
 * `leads`, `clients`, `conversions`, `amount.<currency>` (after adjustments), `refunded.<currency>`, `deliveries.<platform>.<state>`, which is
 * stored for each connection. Exact at once: changes that are not rolled up yet are included.
 */
export const readAccountMetrics = async (
  on: Queryable,
  { accountId, from, to, by, limit }: MetricsQuestion,
): Promise<AccountMetricsRow[]> => {
  const asked = metricDimensions.map((name) => `${by.includes(name) ? columnOf(name) : 'null::text'} as ${name}`);
  const days = { accountId: '$1', from: '$2', to: '$3' };
  const names = by.includes('campaign') ? itsName('m.campaign', days) : '';
  const dimensions = metricDimensions.join(', ');
  const rows = await statement<Record<string, unknown>>(
    `select ${dimensions}, json_object_agg(measure, value) as values
     from (
       select ${asked.join(', ')}, rtrim(m.measure, '.0123456789') as measure, sum(m.value) as value
       from (
         select account_id, day, landing_page_id, campaign, measure, value from account_metric
         union all
         select account_id, day, landing_page_id, campaign_counted_as(account_id, day, landing_page_id, campaign, measure), measure,
                sum(change)
         from (select *, day_of(at, ${zoneOf('account_id')}) as day from metric_increment) i
         group by account_id, day, landing_page_id, campaign, measure
       ) m join landing_page p on p.id = m.landing_page_id${names}
       where m.account_id = $1 and m.day between $2 and $3
       group by ${places}, measure having sum(m.value) <> 0
     ) measured
     group by ${dimensions} order by day, page, campaign nulls first, platform, source, medium, term, content limit $4`,
  )(on, [accountId, from, to, limit ?? null]);
  return rowsSchema.parse(rows);
};

/** Sums over all accounts. Conversions by the days of their accounts, without tests. */
export interface Totals {
  readonly accounts: number;
  readonly activeAccounts: number;
  readonly conversionsYesterday: number;
  readonly conversionsToday: number;
}

const read = statement<Totals>(
  `with today as (select id, day_of(now(), time_zone) as day, time_zone from account),
   counted as (
     select m.day - today.day as days, m.value
     from today
     join account_metric m on m.account_id = today.id and m.day between today.day - 1 and today.day
       and m.measure = 'conversions'
     union all
     select day_of(c.at, today.time_zone) - today.day, c.change
     from metric_increment c join today on today.id = c.account_id
     where c.measure = 'conversions'
   )
   select (select count(*) from account)::int as accounts,
          (select count(*) from account where status = 'active')::int as "activeAccounts",
          coalesce(sum(value) filter (where days = -1), 0)::float8 as "conversionsYesterday",
          coalesce(sum(value) filter (where days = 0), 0)::float8 as "conversionsToday"
   from counted`,
);

/** Exact at once: changes that are not rolled up yet are included. */
export const readTotals = async (on: Queryable): Promise<Totals | undefined> => {
  const [totals] = await read(on, []);
  return totals;
};

/** One round of a statement that takes at most `$1` changes with ids from `$2` on, and adds them to sums. */
type RollUp = (
  on: Queryable,
  values: readonly [changesMax: number, fromId: number],
) => Promise<readonly { readonly rolled_up: number; readonly first_id: number | null }[]>;

/** Adds at most so many changes to their sums. Returns how many. */
export type ChangeRoller = (on: Queryable, changesMax: number) => Promise<number>;

// a transaction that began so long ago has committed its changes or never will
const commitMaxMs = 15_000;
// from time to time everything is read, in case one took longer all the same, or did not commit a round
const markKeptMs = 600_000;

interface Round {
  readonly beganAt: number;
  /** The first change that it has rolled up: no earlier one was left. */
  readonly firstId: number;
}

/**
 * Returns a function that rolls changes up. Remembers which change was the oldest: while a long snapshot (a backup) keeps
 * deleted changes in the table, reading them again in every round would cost more each time.
 */
export const changeRoller = (rollUp: RollUp): ChangeRoller => {
  let rounds: Round[] = [];
  let isReadFrom = -Infinity;

  const markAt = (now: number): number => {
    if (now - isReadFrom > markKeptMs) {
      isReadFrom = now;
      rounds = [];
    }
    const settled = rounds.findLastIndex(({ beganAt }) => now - beganAt > commitMaxMs);
    rounds = rounds.slice(Math.max(0, settled));
    return settled === -1 ? 0 : (rounds[0]?.firstId ?? 0);
  };

  return async (on, changesMax) => {
    const beganAt = performance.now();
    const [row] = await rollUp(on, [changesMax, markAt(beganAt)]);
    if (row !== undefined && row.first_id !== null) rounds.push({ beganAt, firstId: row.first_id });
    return row?.rolled_up ?? 0;
  };
};

// of a page and day
const defaultCampaignsMax = 200;

// Concurrent calls are safe: each takes rows of its own. Plan: changes by their ids, from the first that is left on.
const rollUp = preparedStatement<{ rolled_up: number; first_id: number | null }>(
  'roll-up-metrics',
  'select rolled_up, first_id from roll_up_metrics($1, $2, $3)',
);

/**
 * Returns a function that adds changes to the metrics of their accounts. At most so many campaigns of a page and day are
 * counted by themselves; all others count as `(other)`.
 */
export const metricsRoller = (campaignsMax = defaultCampaignsMax): ChangeRoller =>
  changeRoller((on, values) => rollUp(on, [...values, campaignsMax]));

/** The tables whose rows are short-lived, so that a long snapshot keeps the most deleted rows in them. */
export const shortLivedTables = ['delivery_due', 'metric_increment', 'quality_increment'] as const;
export type ShortLivedTable = (typeof shortLivedTables)[number];

const count = statement<{ name: ShortLivedTable; rows: number }>(
  `select name, pg_stat_get_dead_tuples(name::regclass)::float8 as rows from unnest($1::text[]) short_lived (name)`,
);

/**
 * Estimates the deleted rows that are still in these tables, as PostgreSQL's statistics count them. Vacuum removes them
 * within minutes, unless a long snapshot, a replication slot or a prepared transaction may still need them.
 */
export const countDeadRows = async (on: Queryable): Promise<ReadonlyMap<ShortLivedTable, number>> =>
  new Map((await count(on, [shortLivedTables])).map(({ name, rows }) => [name, rows]));
