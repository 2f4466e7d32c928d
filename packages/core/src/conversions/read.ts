import {
  type ConnectionState,
  type DeliveryState,
  type PlatformName,
  type AccountMode,
  type AdjustmentKind,
  type Currency,
  deliveryStates,
  platformNames,
} from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';

/** The delivery of a conversion or an adjustment to one of the account's connections. */
export interface DeliveryRecord {
  readonly platform: PlatformName;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly connectionState: ConnectionState;
  readonly connectionReason: string | null;
  /** Null: it is closed, or waits for the operator. */
  readonly nextAttemptAt: Date | null;
  readonly closedAt: Date | null;
  /** What the platform was not told in full, and what it reported later about the request of this delivery. */
  readonly note: string | null;
}

/** The columns of a delivery; a row without a delivery has a null platform. */
type DeliveryColumns = DeliveryRecord | { readonly platform: null };

/** SQL: `DeliveryColumns`, after `deliveriesWhere`. */
const deliveryColumns = `
         connection.platform, f.state, f.reason, f.attempts, connection.state as "connectionState",
         connection.state_reason as "connectionReason", f.closed_at as "closedAt",
         nullif(concat_ws('. ', f.event_note, f.note), '') as note,
         case when connection.state = 'active' then due.not_before end as "nextAttemptAt"`;

/** SQL that joins the deliveries f for which the condition holds, and what they wait for. */
const deliveriesWhere = (condition: string): string => `
  left join delivery f on ${condition}
  left join lateral (
    select id, platform, state, state_reason from platform_connection
    where id = f.connection_id and account_id = f.account_id limit 1
  ) connection on true
  left join lateral (
    select not_before from delivery_due
    where id = f.parcel_id and account_id = f.account_id and f.state = 'pending' limit 1
  ) due on true`;

/** The delivery of a row, if it has one. */
const deliveryOf = (row: DeliveryColumns): DeliveryRecord[] => {
  if (row.platform === null) return [];
  const { platform, state, reason, attempts, connectionState, connectionReason, nextAttemptAt, closedAt, note } = row;
  return [{ platform, state, reason, attempts, connectionState, connectionReason, nextAttemptAt, closedAt, note }];
};

interface AdjustmentRecord {
  readonly id: number;
  readonly kind: AdjustmentKind;
  /** The new total: an exact decimal with two places. */
  readonly amount: string;
  readonly occurredAt: Date;
  readonly externalReference: string | null;
  readonly createdAt: Date;
  readonly deliveries: readonly DeliveryRecord[];
}

type Row = Omit<AdjustmentRecord, 'deliveries'> & DeliveryColumns & { readonly conversionId: number };

const readRows = preparedStatement<Row>(
  'read-adjustments',
  `select a.id, a.conversion_id as "conversionId", a.kind, a.amount, a.occurred_at as "occurredAt",
          coalesce(a.external_reference, a.test_reference) as "externalReference", a.created_at as "createdAt",
          ${deliveryColumns}
   from unnest($3::bigint[]) conversion (id)
   cross join lateral (
     select * from conversion_adjustment
     where conversion_id = conversion.id and account_id + 0 = $1 and is_test = $2 offset 0) a
   ${deliveriesWhere('f.adjustment_id = a.id and f.account_id + 0 = a.account_id')}
   order by a.id, connection.id`,
);

const adjustmentOf = (rows: readonly [Row, ...Row[]]): AdjustmentRecord => {
  const [{ id, kind, amount, occurredAt, externalReference, createdAt }] = rows;
  return { id, kind, amount, occurredAt, externalReference, createdAt, deliveries: rows.flatMap(deliveryOf) };
};

/** Returns the adjustments of conversions with their deliveries, oldest first, by the id of the conversion. */
const readAdjustments = async (
  on: Queryable,
  { accountId, isTest }: AccountMode,
  conversionIds: readonly number[],
): Promise<ReadonlyMap<number, readonly AdjustmentRecord[]>> => {
  const rows = await readRows(on, [accountId, isTest, conversionIds]);
  return new Map(
    [...Map.groupBy(rows, ({ conversionId }) => conversionId)].map(([conversionId, its]) => [
      conversionId,
      [...Map.groupBy(its, ({ id }) => id).values()].flatMap(([first, ...others]) =>
        first === undefined ? [] : [adjustmentOf([first, ...others])],
      ),
    ]),
  );
};

export interface ConversionRecord {
  readonly id: number;
  readonly clientId: number;
  readonly leadId: number;
  /** The total now, after all adjustments: an exact decimal with two places, as every amount. */
  readonly amount: string;
  readonly originalAmount: string;
  readonly currency: Currency;
  readonly externalReference: string | null;
  readonly isTest: boolean;
  readonly eventId: string;
  /** The partner's own name for the event. */
  readonly eventName: string | null;
  readonly occurredAt: Date;
  readonly createdAt: Date;
  readonly deliveries: readonly DeliveryRecord[];
  /** Oldest first. */
  readonly adjustments: readonly AdjustmentRecord[];
}

type ConversionName = { readonly id: number } | { readonly externalReference: string };

/** One per delivery; a conversion without deliveries has one row. */
type ConversionRow = Omit<ConversionRecord, 'amount' | 'deliveries' | 'adjustments'> & DeliveryColumns;

// `account_id + 0` is not looked up in the index of accounts, however few rows PostgreSQL expects there
/** SQL that selects a `ConversionRow` per delivery. `conversions`: what gives the conversions, as v. */
const conversionRowsFrom = (conversions: string): string => `
  select v.id, v.client_id as "clientId", c.lead_id as "leadId", v.amount as "originalAmount", v.currency,
         coalesce(v.external_reference, v.test_reference) as "externalReference", v.is_test as "isTest",
         v.event_id as "eventId", v.event_name as "eventName",
         coalesce(v.occurred_at, v.created_at) as "occurredAt",
         v.created_at as "createdAt",
         ${deliveryColumns}
  from ${conversions}
  cross join lateral (select lead_id from client where id = v.client_id and account_id + 0 = v.account_id limit 1) c
  ${deliveriesWhere('f.conversion_id = v.id and f.account_id + 0 = v.account_id')}`;

const rowsWhere = (condition: string) =>
  `${conversionRowsFrom('conversion v')} where ${condition} order by connection.id`;

const byId = preparedStatement<ConversionRow>(
  'read-conversion',
  rowsWhere('v.id = $2 and v.account_id + 0 = $1 and v.is_test = $3'),
);

// in the order of the unique index: another one begins with the account, too
const rowsByReference = (column: string) =>
  `${conversionRowsFrom(
    `(select * from conversion where account_id = $1 and ${column} between $2 and $2 order by ${column} limit 1) v`,
  )} order by connection.id`;

const byReference = preparedStatement<ConversionRow>(
  'read-conversion-by-reference',
  rowsByReference('external_reference'),
);

const byTestReference = preparedStatement<ConversionRow>(
  'read-conversion-by-test-reference',
  rowsByReference('test_reference'),
);

const conversionOf = (
  rows: readonly [ConversionRow, ...ConversionRow[]],
  adjustments: readonly AdjustmentRecord[],
): ConversionRecord => {
  const [first] = rows;
  const { id, clientId, leadId, externalReference, eventId, eventName } = first;
  const { currency, isTest, occurredAt, createdAt, originalAmount } = first;
  const ids = { id, clientId, leadId, externalReference, eventId, eventName };
  const amount = adjustments.at(-1)?.amount ?? originalAmount;
  const sale = { amount, originalAmount, currency, isTest, occurredAt, createdAt };
  return { ...ids, ...sale, deliveries: rows.flatMap(deliveryOf), adjustments };
};

/** Returns the conversions of rows, in their order, with their adjustments. */
const conversionsOf = async (
  on: Queryable,
  mode: AccountMode,
  rows: readonly ConversionRow[],
): Promise<ConversionRecord[]> => {
  const rowsById = Map.groupBy(rows, ({ id }) => id);
  if (rowsById.size === 0) return [];
  const adjustments = await readAdjustments(on, mode, [...rowsById.keys()]);
  return [...rowsById].flatMap(([id, [first, ...others]]) =>
    first === undefined ? [] : conversionOf([first, ...others], adjustments.get(id) ?? []),
  );
};

const read = (on: Queryable, { accountId, isTest }: AccountMode, name: ConversionName): Promise<ConversionRow[]> => {
  if ('id' in name) return byId(on, [accountId, name.id, isTest]);
  return (isTest ? byTestReference : byReference)(on, [accountId, name.externalReference]);
};

/** Returns a conversion with its deliveries and adjustments; undefined if the account has no such conversion in this mode. */
export const readConversion = async (
  on: Queryable,
  mode: AccountMode,
  name: ConversionName,
): Promise<ConversionRecord | undefined> => {
  const [conversion] = await conversionsOf(on, mode, await read(on, mode, name));
  return conversion;
};

/** A conversion in the order of the list. */
interface ListedRow {
  id: number;
  /** When it occurred, in ISO 8601 with microseconds. */
  occurred_at: string;
  is_match: boolean;
  /** Whether the search of its connection ended here, although there are more. */
  is_end: boolean;
}

const position = (time: string, id: string) =>
  `${id} as id, to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at`;

// The first parameters of all: account, mode, the earliest time, where the page begins, and how many are wanted.
//
// PostgreSQL would read all that matches and sort it, instead of reading some in the order of an index, if it expected few
// rows. It does between two times that it does not know: so both ends of the range compare rows. And it does if the table
// was not analyzed yet and it knows how many are wanted: so it learns that from a subquery, which `offset 0` keeps.
const begins = (time: string, id: string) => `(${time}, ${id}) < ($4::timestamptz, $5::bigint)`;
const newestFirst = (time: string, id: string) => `order by ${time} desc, ${id} desc`;

const occurredAt = 'coalesce(occurred_at, created_at)';

const findAll = preparedStatement<ListedRow>(
  'find-conversions',
  `select ${position('v.occurred_at', 'v.id')}, true as is_match, false as is_end
   from (select $6::int as rows_max offset 0) wanted
   cross join lateral (
     select id, ${occurredAt} as occurred_at from conversion
     where account_id = $1 and is_test = $2 and ${begins(occurredAt, 'id')} and (${occurredAt}, id) >= ($3::timestamptz, 0)
     ${newestFirst(occurredAt, 'id')} limit wanted.rows_max
   ) v`,
);

/** SQL: connections (id, rows_max). */
const connections = (rowsMax: string) => `
     select id, ${rowsMax} as rows_max from platform_connection
     where account_id = $1 and platform = any($7::text[]) offset 0`;

/** Deliveries of conversions through the connection c; `$1` is compared with their account afterwards. */
const newest = (since: string, condition = '') => `
       select account_id, occurred_at, conversion_id, state from delivery
       where connection_id = c.id and is_test = $2 and ${begins('occurred_at', 'conversion_id')}
         and (occurred_at, conversion_id) >= (${since}, 0) ${condition}
         and coalesce(conversion_id, 0) > 0 -- in these words, the condition of the indexes
       ${newestFirst('occurred_at', 'conversion_id')} limit c.rows_max`;

/** By platforms ($7) and failed, skipped or both ($8): those of each connection and state have their place in an index. */
const findUndelivered = preparedStatement<ListedRow>(
  'find-undelivered-conversions',
  `select distinct on (f.occurred_at, f.conversion_id) ${position('f.occurred_at', 'f.conversion_id')},
          true as is_match, false as is_end
   from (${connections('$6::int')}) c
   cross join unnest($8::text[]) wanted (state)
   cross join lateral (${newest('$3::timestamptz', 'and undelivered = wanted.state')}) f
   where f.account_id = $1
   ${newestFirst('f.occurred_at', 'f.conversion_id')} limit $6`,
);

/** With more parcels than this, pending deliveries are not rare. */
const parcelsMax = 100;

// Most deliveries are delivered, and the newest ones are pending, so matches are soon found. If not, the search of each
// connection ends after its share of the rows that a statement may read ($9), and tells where. No delivery is pending
// whose conversion occurred before the oldest one in a parcel. Some parcels are read in the order of their index: for
// that the condition on it, which is always true.
/** By platforms ($7) and states ($8). */
const findByState = preparedStatement<ListedRow>(
  'find-conversions-by-state',
  `select ${position('f.occurred_at', 'f.conversion_id')}, f.is_match, f.is_end
   from (${connections('greatest($9::int / count(*) over (), 1)')}) c
   cross join lateral (
     select case when $8::text[] <> '{pending}' or count(*) > ${parcelsMax} then '-infinity'
                 else coalesce(min(oldest_at) filter (where is_test = $2), 'infinity') end as oldest_at
     from (select oldest_at, is_test from delivery_due
           where $8::text[] = '{pending}' and connection_id = c.id
             and not_before >= '-infinity' and not_before <= 'infinity'
           order by not_before limit ${parcelsMax + 1}) parcels
   ) since
   cross join lateral (
     select occurred_at, conversion_id, state = any($8::text[]) as is_match, place = c.rows_max as is_end
     from (
       select *, row_number() over () as place
       from (${newest('greatest($3::timestamptz, since.oldest_at)')}) newest
       where account_id = $1
     ) numbered
     where state = any($8::text[]) or place = c.rows_max
     limit $6
   ) f`,
);

/** A place in the list. */
export interface ListPosition {
  /** In ISO 8601 with microseconds. */
  readonly occurredAt: string;
  readonly id: number;
}

export interface ConversionFilter {
  /** When they occurred: from here on, before `until`; in ISO 8601 with microseconds. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** With both, one delivery must match both. */
  readonly platform?: PlatformName | undefined;
  readonly state?: DeliveryState | undefined;
  /** Where the page before ended. */
  readonly after?: ListPosition | undefined;
  readonly limit: number;
  /** How many deliveries a search by state may read for a page. */
  readonly readMax?: number;
}

interface ConversionPage {
  /** May be fewer than the limit although there are more. */
  readonly items: readonly ConversionRecord[];
  /** Where the page ends; undefined if there are no more. */
  readonly next: ListPosition | undefined;
}

const isUndelivered = (state: DeliveryState | undefined) => state === 'failed' || state === 'skipped';

/** Where a page begins: after the page before, and never behind the end of the range. */
const beginOf = ({ after, until = 'infinity' }: ConversionFilter): ListPosition =>
  after !== undefined && after.occurredAt < until ? after : { occurredAt: until, id: 0 };

const find = (on: Queryable, mode: AccountMode, filter: ConversionFilter): Promise<ListedRow[]> => {
  const { from = '-infinity', platform, state, limit, readMax = readMaxUsual } = filter;
  const begin = beginOf(filter);
  // one more than the page has tells whether there are more
  const range = [mode.accountId, mode.isTest, from, begin.occurredAt, begin.id, limit + 1];
  if (platform === undefined && state === undefined) return findAll(on, range);
  const platforms = platform === undefined ? platformNames : [platform];
  if (isUndelivered(state)) return findUndelivered(on, [...range, platforms, [state]]);
  return findByState(on, [...range, platforms, state === undefined ? deliveryStates : [state], readMax]);
};

/**
 * Newest first. The times have the same form, so that texts compare as times do. Of one conversion, a match comes before
 * the end of another search.
 */
const inOrder = (one: ListedRow, other: ListedRow) => {
  if (one.occurred_at !== other.occurred_at) return one.occurred_at < other.occurred_at ? 1 : -1;
  return other.id - one.id || Number(other.is_match) - Number(one.is_match);
};

/** The conversions of a page, and where it ends. */
const pageOf = (rows: readonly ListedRow[], limit: number) => {
  const sorted = rows.toSorted(inOrder);
  // what is older than the first end of a search may be incomplete
  const endAt = sorted.findIndex(({ is_end: isEnd }) => isEnd);
  const complete = endAt === -1 ? sorted : sorted.slice(0, endAt + 1);
  const matches = complete.filter(({ is_match: isMatch }) => isMatch);
  const ids = [...new Set(matches.map(({ id }) => id))];
  const page = new Set(ids.slice(0, limit));
  const end = ids.length > limit ? matches.findLast(({ id }) => page.has(id)) : sorted[endAt];
  return { ids: [...page], next: end && { occurredAt: end.occurred_at, id: end.id } };
};

const readAll = preparedStatement<ConversionRow>(
  'read-conversions',
  `${conversionRowsFrom(
    `unnest($3::bigint[]) with ordinality listed (id, place)
     cross join lateral (
       select * from conversion where id = listed.id and account_id + 0 = $1 and is_test = $2 limit 1) v`,
  )} order by listed.place, connection.id`,
);

// what takes some 5 ms
const readMaxUsual = 2_500;

/** Returns a page of an account's conversions, newest first: by when they occurred, then by id. */
export const listConversions = async (
  on: Queryable,
  mode: AccountMode,
  filter: ConversionFilter,
): Promise<ConversionPage> => {
  const { ids, next } = pageOf(await find(on, mode, filter), filter.limit);
  const rows = ids.length === 0 ? [] : await readAll(on, [mode.accountId, mode.isTest, ids]);
  return { items: await conversionsOf(on, mode, rows), next };
};
