import {
  type Currency,
  currencies,
  decimalIn,
  type DeliveryState,
  deliveryStates,
  type PlatformName,
  platformNames,
  dayAfter,
  inMinorUnits,
  isCurrency,
} from '@leadback/domain';
import { type Queryable, statement } from '@leadback/db';
import { zoneOf } from '../accounts/days.ts';
import { shownLabel } from '../delivery/webhook-deliveries.ts';
import type { AccountScope } from '../people/access.ts';
import { type ClickDimension, clickDimensions, itsName, namedBy } from './clicks.ts';
import type { MetricDimension } from './metrics.ts';
import { shownSlug } from '../pages/list-pages.ts';

/** An amount as a decimal with those of its currency, such as `31220.00`. Amounts of different currencies are never added. */
export interface Money {
  readonly currency: Currency;
  readonly amount: string;
}

type DeliveryCounts = Readonly<Record<DeliveryState, number>>;

interface Measures {
  readonly leads: number;
  readonly clients: number;
  readonly conversions: number;
  /** After adjustments. */
  readonly revenue: Money[];
  readonly refunded: Money[];
  readonly deliveries: DeliveryCounts;
}

/** Sums of measures as account_metric calls them; money in minor units of its currency. */
type MeasureSums = ReadonlyMap<string, bigint>;

/** The sums of several rows. */
const addUp = (rows: readonly MeasureSums[]): MeasureSums => {
  const total = new Map<string, bigint>();
  for (const row of rows) for (const [measure, sum] of row) total.set(measure, (total.get(measure) ?? 0n) + sum);
  return total;
};

const countOf = (sums: MeasureSums, measure: string): number => Number(sums.get(measure) ?? 0n);

const moneyOf = (sums: MeasureSums, measure: string, order: readonly Currency[]): Money[] =>
  order.flatMap((currency) => {
    const sum = sums.get(`${measure}.${currency}`) ?? 0n;
    return sum === 0n ? [] : [{ currency, amount: decimalIn(currency, sum) }];
  });

/** Deliveries are counted as `deliveries.<platform>.<state>.<id of the connection>`. */
const deliveryMeasure = /^deliveries\.\w+\.(\w+)\.(\d+)$/;

const connectionOf = (measure: string): number => Number(deliveryMeasure.exec(measure)?.[2] ?? 0);

/** Of all connections, or of one. */
const countsOf = (sums: MeasureSums, connectionId?: number): DeliveryCounts => {
  const count = (state: DeliveryState) =>
    [...sums.keys()].reduce((total, measure) => {
      const [, its, of] = deliveryMeasure.exec(measure) ?? [];
      const isCounted = its === state && (connectionId === undefined || Number(of) === connectionId);
      return isCounted ? total + countOf(sums, measure) : total;
    }, 0);
  return {
    pending: count('pending'),
    delivered: count('delivered'),
    failed: count('failed'),
    skipped: count('skipped'),
  };
};

const measuresOf = (sums: MeasureSums, order: readonly Currency[]): Measures => ({
  leads: countOf(sums, 'leads'),
  clients: countOf(sums, 'clients'),
  conversions: countOf(sums, 'conversions'),
  revenue: moneyOf(sums, 'amount', order),
  refunded: moneyOf(sums, 'refunded', order),
  deliveries: countsOf(sums),
});

interface CountedConnection {
  readonly id: number;
  readonly platform: PlatformName;
  readonly label: string;
  readonly destination: string;
  readonly isDeleted: boolean;
}

const readNamed = statement<CountedConnection>(
  `select c.id, c.platform, ${shownLabel()} as label, c.destination, c.deleted_at is not null as "isDeleted"
   from platform_connection c where c.account_id = $1 and c.id = any($2::bigint[]) order by c.id`,
);

/** The connections with deliveries, in the order of their platforms. */
const connectionsOf = async (
  on: Queryable,
  accountId: number,
  sums: MeasureSums,
): Promise<(CountedConnection & { readonly deliveries: DeliveryCounts })[]> => {
  const ids = new Set([...sums.keys()].map(connectionOf));
  const named = await readNamed(on, [accountId, [...ids]]);
  const place = ({ platform }: CountedConnection) => platformNames.indexOf(platform);
  return named
    .map((connection) => ({ ...connection, deliveries: countsOf(sums, connection.id) }))
    .filter(({ deliveries }) => deliveryStates.some((state) => deliveries[state] > 0))
    .toSorted((one, other) => place(one) - place(other));
};

interface OverviewQuestion {
  /** Days of the account, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly by: MetricDimension;
  /** Only this page, by its slug. */
  readonly page?: string | undefined;
  /** Only clicks that say this; an empty text: that do not say it. */
  readonly clicks: { readonly [Dimension in ClickDimension]?: string | undefined };
}

interface Row {
  is_before: boolean;
  key: string | null;
  measure: string;
  value: string;
}

/** SQL: by what is added up; a page by its id first, which its slug replaces then. */
const groupedBy = (dimension: MetricDimension): string => {
  if (dimension === 'day') return 'day::text';
  return dimension === 'page' ? 'null' : namedBy('changes.campaign', dimension);
};

const days = { accountId: '$1', from: '$2', to: '$4' };

// Added up before the slugs are looked up: an account has many rows of few pages.
const readBy = (dimension: MetricDimension, filters: readonly ClickDimension[]) =>
  statement<Row>(
    `select m.is_before, ${dimension === 'page' ? shownSlug() : `nullif(m.key, '')`} as key, m.measure, sum(m.value) as value
     from (
       select day < $3::date as is_before, ${groupedBy(dimension)} as key, landing_page_id, measure, sum(value) as value
       from (
         select day, landing_page_id, campaign, measure, value from account_metric
         where account_id = $1 and day between $2::date and $4::date
         union all
         select day, landing_page_id, campaign_counted_as(account_id, day, landing_page_id, campaign, measure), measure, sum(change)
         from (select *, day_of(at, ${zoneOf('$1')}) as day from metric_increment) i
         where account_id = $1 and day between $2::date and $4::date
         group by account_id, day, landing_page_id, campaign, measure
       ) changes${[dimension, ...filters].includes('campaign') ? itsName('changes.campaign', days) : ''}
       where ${['true', ...filters.map((name, place) => `${namedBy('changes.campaign', name)} = $${place + 6}`)].join(' and ')}
       group by 1, 2, 3, 4
     ) m
     join landing_page p on p.id = m.landing_page_id and p.account_id = $1
     where $5::text is null or ${shownSlug()} = $5
     group by 1, 2, 3 having sum(m.value) <> 0`,
  );

const readTaken = statement<{ currencies: Currency[]; timeZone: string }>(
  'select currencies, time_zone as "timeZone" from account where id = $1',
);

const dayMs = 86_400_000;
const daysIn = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / dayMs + 1;

interface Part {
  readonly key: string | null;
  readonly sums: MeasureSums;
}

const sumOf = (measure: string, value: string): bigint => {
  const currency = measure.split('.')[1];
  return isCurrency(currency) ? inMinorUnits(value, currency) : BigInt(value);
};

const partsOf = (rows: readonly Row[]): Part[] =>
  [...Map.groupBy(rows, ({ key }) => key)].map(([key, alike]) => ({
    key,
    sums: new Map(alike.map(({ measure, value }) => [measure, sumOf(measure, value)])),
  }));

const everyDay = (parts: readonly Part[], { from, to }: OverviewQuestion): Part[] => {
  const byDay = new Map(parts.map(({ key, sums }) => [key, sums]));
  return Array.from({ length: daysIn(from, to) }, (_, place) => {
    const key = dayAfter(from, place);
    return { key, sums: byDay.get(key) ?? new Map() };
  });
};

const weight = ({ sums }: Part, measure: string) => sums.get(measure) ?? 0n;
const largestFirst = (one: Part, other: Part): number => {
  for (const measure of ['conversions', 'leads']) {
    const difference = weight(other, measure) - weight(one, measure);
    if (difference !== 0n) return difference > 0n ? 1 : -1;
  }
  return (one.key ?? '').localeCompare(other.key ?? '');
};

interface Overview {
  /** In which the days begin. */
  readonly timeZone: string;
  readonly range: { readonly from: string; readonly to: string };
  /** The same number of days before. */
  readonly previousRange: { readonly from: string; readonly to: string };
  readonly totals: Measures;
  readonly previous: Measures;
  readonly connections: Awaited<ReturnType<typeof connectionsOf>>;
  /** By day: each day of the range. Otherwise those with most conversions first. */
  readonly rows: { readonly key: string | null; readonly measures: Measures }[];
  /** What the rows leave out. */
  readonly other: Measures | null;
}

/** Of all but days. */
const rowsMax = 100;

/**
 * What an account's clicks earned in a range of days, and in the range before it. Tests are not counted. Exact at once:
 * changes that are not rolled up yet are included.
 */
export const readOverview = async (
  on: Queryable,
  { accountId }: AccountScope,
  question: OverviewQuestion,
): Promise<Overview> => {
  const { from, to, by, page, clicks } = question;
  const previousRange = { from: dayAfter(from, -daysIn(from, to)), to: dayAfter(from, -1) };
  const filters = clickDimensions.filter((name) => clicks[name] !== undefined);
  const values = [accountId, previousRange.from, from, to, page ?? null, ...filters.map((name) => clicks[name])];
  const rows = await readBy(by, filters)(on, values);
  const [account] = await readTaken(on, [accountId]);
  const order = [...new Set([...(account?.currencies ?? []), ...currencies])];
  const parts = partsOf(rows.filter(({ is_before: isBefore }) => !isBefore));
  const before = partsOf(rows.filter(({ is_before: isBefore }) => isBefore));
  const sorted = by === 'day' ? everyDay(parts, question) : parts.toSorted(largestFirst);
  const shown = by === 'day' ? sorted : sorted.slice(0, rowsMax);
  const left = sorted.slice(shown.length);
  const total = addUp(parts.map(({ sums }) => sums));
  return {
    timeZone: account?.timeZone ?? 'UTC',
    range: { from, to },
    previousRange,
    totals: measuresOf(total, order),
    previous: measuresOf(addUp(before.map(({ sums }) => sums)), order),
    connections: await connectionsOf(on, accountId, total),
    rows: shown.map(({ key, sums }) => ({ key, measures: measuresOf(sums, order) })),
    other: left.length === 0 ? null : measuresOf(addUp(left.map(({ sums }) => sums)), order),
  };
};
