import {
  type ConnectionState,
  type DeliveryState,
  type PlatformName,
  type AccountMode,
  type AdjustmentKind,
  type Currency,
  type SoldItem,
  deliveryStates,
  platformNames,
} from '@leadback/domain';
import { type Queryable, statement } from '@leadback/db';
import { type Click, readClicks } from '../clients/read.ts';
import { nextAttemptOf } from '../delivery/enqueue.ts';
import { shownLabel } from '../delivery/webhook-deliveries.ts';

/** The delivery of a conversion or an adjustment to one of the account's connections. */
export interface DeliveryRecord {
  readonly connectionId: number;
  /** What the connection is called. */
  readonly connectionLabel: string;
  readonly platform: PlatformName;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly connectionState: ConnectionState;
  readonly connectionReason: string | null;
  /** Null: it is closed, being sent, or waits for the operator. */
  readonly nextAttemptAt: Date | null;
  readonly closedAt: Date | null;
  /** What the platform was not told in full, and what it reported later about the request of this delivery. */
  readonly note: string | null;
  /** Whether the platform says that it used the event; null: it has not said, or never does. */
  readonly isConfirmed: boolean | null;
  /** The click that the platform is told of; null: the one that counts for the conversion. */
  readonly toldLeadId: number | null;
}

/** The columns of a delivery; a row without a delivery has a null platform. */
type DeliveryColumns = DeliveryRecord | { readonly platform: null };

/** SQL: `DeliveryColumns`, after `deliveriesOf`. */
const deliveryColumns = `
         connection.id as "connectionId", ${shownLabel('connection')} as "connectionLabel",
         connection.platform, f.state, f.reason, f.attempts, connection.state as "connectionState",
         connection.state_reason as "connectionReason", f.closed_at as "closedAt",
         nullif(concat_ws('. ', f.event_note, f.note), '') as note,
         f.is_confirmed as "isConfirmed", f.lead_id as "toldLeadId",
         ${nextAttemptOf('connection')} as "nextAttemptAt"`;

/** SQL that joins the deliveries f of a row. */
const deliveriesOf = (row: string, column: string): string => `
  left join delivery f on f.${column} = ${row}.id and f.account_id = ${row}.account_id
  left join platform_connection connection on connection.id = f.connection_id and connection.account_id = f.account_id`;

/** The delivery of a row, if it has one. */
const deliveryOf = (row: DeliveryColumns): DeliveryRecord[] => {
  if (row.platform === null) return [];
  const { platform, state, reason, attempts, connectionState, connectionReason, ...others } = row;
  const { connectionId, connectionLabel, nextAttemptAt, closedAt, note, isConfirmed, toldLeadId } = others;
  const via = { connectionId, connectionLabel, connectionState, connectionReason };
  const delivery = { ...via, platform, state, reason, attempts };
  return [{ ...delivery, nextAttemptAt, closedAt, note, isConfirmed, toldLeadId }];
};

interface AdjustmentRecord {
  readonly id: number;
  readonly kind: AdjustmentKind;
  /** The new total: an exact decimal. */
  readonly amount: string;
  readonly occurredAt: Date;
  readonly externalReference: string | null;
  readonly createdAt: Date;
  readonly deliveries: readonly DeliveryRecord[];
}

type Row = Omit<AdjustmentRecord, 'deliveries'> & DeliveryColumns & { readonly conversionId: number };

const readRows = statement<Row>(
  `select a.id, a.conversion_id as "conversionId", a.kind, a.amount, a.occurred_at as "occurredAt",
          coalesce(a.external_reference, a.test_reference) as "externalReference", a.created_at as "createdAt",
          ${deliveryColumns}
   from conversion_adjustment a
   ${deliveriesOf('a', 'adjustment_id')}
   where a.conversion_id = any($3::bigint[]) and a.account_id = $1 and a.is_test = $2
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

/** A click of a client, as one of its conversions sees it. */
interface ClickRecord extends Click {
  /** Whether the metrics count the conversion for it, or a platform is told of it. */
  readonly counted: boolean;
}

export interface ConversionRecord {
  readonly id: number;
  readonly clientId: number;
  /** The click that counts. */
  readonly leadId: number;
  /** Oldest first. */
  readonly clicks: readonly ClickRecord[];
  /** The total now, after all adjustments: an exact decimal with those of its currency, as every amount. */
  readonly amount: string;
  readonly originalAmount: string;
  readonly currency: Currency;
  /** The part of the original amount that the account earns. */
  readonly netAmount: string | null;
  /** What was sold. */
  readonly items: readonly SoldItem[] | null;
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
type ConversionRow = Omit<ConversionRecord, 'amount' | 'clicks' | 'deliveries' | 'adjustments'> & DeliveryColumns;

/** Reads, for an account and mode, the conversions v for which the condition on $3 holds. */
const readWhere = (condition: string, order = 'v.id') =>
  statement<ConversionRow>(
    `select v.id, v.client_id as "clientId", v.lead_id as "leadId", v.amount as "originalAmount", v.currency,
            v.net_amount as "netAmount", v.items,
            coalesce(v.external_reference, v.test_reference) as "externalReference", v.is_test as "isTest",
            v.event_id as "eventId", v.event_name as "eventName",
            coalesce(v.occurred_at, v.created_at) as "occurredAt", v.created_at as "createdAt",
            ${deliveryColumns}
     from conversion v
     ${deliveriesOf('v', 'conversion_id')}
     where v.account_id = $1 and v.is_test = $2 and ${condition}
     order by ${order}, connection.id`,
  );

const byId = readWhere('v.id = $3');
const byReference = readWhere('v.external_reference = $3');
const byTestReference = readWhere('v.test_reference = $3');
const byIds = readWhere('v.id = any($3::bigint[])', 'array_position($3::bigint[], v.id)');

const conversionOf = (
  rows: readonly [ConversionRow, ...ConversionRow[]],
  ofClient: readonly Click[],
  adjustments: readonly AdjustmentRecord[],
): ConversionRecord => {
  const [first] = rows;
  const { id, clientId, leadId, externalReference, eventId, eventName } = first;
  const { currency, isTest, occurredAt, createdAt, originalAmount, netAmount, items } = first;
  const ids = { id, clientId, leadId, externalReference, eventId, eventName };
  const amount = adjustments.at(-1)?.amount ?? originalAmount;
  const sale = { amount, originalAmount, netAmount, items, currency, isTest, occurredAt, createdAt };
  const deliveries = rows.flatMap(deliveryOf);
  const told = new Set([leadId, ...deliveries.map(({ toldLeadId }) => toldLeadId)]);
  const clicks = ofClient.map((click) => ({ ...click, counted: told.has(click.leadId) }));
  return { ...ids, ...sale, clicks, deliveries, adjustments };
};

/** Returns the conversions of rows, in their order, with their clicks and adjustments. */
const conversionsOf = async (
  on: Queryable,
  mode: AccountMode,
  rows: readonly ConversionRow[],
): Promise<ConversionRecord[]> => {
  const rowsById = Map.groupBy(rows, ({ id }) => id);
  if (rowsById.size === 0) return [];
  const adjustments = await readAdjustments(on, mode, [...rowsById.keys()]);
  const clientIds = new Set(rows.map(({ clientId }) => clientId));
  const clicks = await readClicks(on, mode.accountId, [...clientIds]);
  return [...rowsById].flatMap(([id, [first, ...others]]) =>
    first === undefined
      ? []
      : conversionOf([first, ...others], clicks.get(first.clientId) ?? [], adjustments.get(id) ?? []),
  );
};

const read = (on: Queryable, { accountId, isTest }: AccountMode, name: ConversionName): Promise<ConversionRow[]> => {
  if ('id' in name) return byId(on, [accountId, isTest, name.id]);
  return (isTest ? byTestReference : byReference)(on, [accountId, isTest, name.externalReference]);
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
const isInRange = (time: string, id: string) =>
  `${time} >= $3::timestamptz and (${time}, ${id}) < ($4::timestamptz, $5::bigint)`;
const newestFirst = (time: string, id: string) => `order by ${time} desc, ${id} desc`;

const occurredAt = 'coalesce(occurred_at, created_at)';

const findAll = statement<ListedRow>(
  `select ${position(occurredAt, 'id')}, true as is_match, false as is_end
   from conversion where account_id = $1 and is_test = $2 and ${isInRange(occurredAt, 'id')}
   ${newestFirst(occurredAt, 'id')} limit $6`,
);

/** Deliveries of conversions through the connection c, in the order of an index. */
const newest = (rowsMax: string, condition: string) => `
       select occurred_at, conversion_id, state from delivery
       where connection_id = c.id and account_id = $1 and is_test = $2 and ${isInRange('occurred_at', 'conversion_id')}
         and ${condition}
         and coalesce(conversion_id, 0) > 0 -- in these words, the condition of the indexes
       ${newestFirst('occurred_at', 'conversion_id')} limit ${rowsMax}`;

/** By platforms ($7) and failed, skipped or both ($8): those of each connection and state have their place in an index. */
const findUndelivered = statement<ListedRow>(
  `select distinct on (f.occurred_at, f.conversion_id) ${position('f.occurred_at', 'f.conversion_id')},
          true as is_match, false as is_end
   from platform_connection c
   cross join unnest($8::text[]) wanted (state)
   cross join lateral (${newest('$6', 'undelivered = wanted.state')}) f
   where c.account_id = $1 and c.platform = any($7::text[])
   ${newestFirst('f.occurred_at', 'f.conversion_id')} limit $6`,
);

/** With more parcels than this, pending deliveries are not rare. */
const parcelsMax = 100;

// Most deliveries are delivered, and the newest ones are pending, so matches are soon found. If not, the search of each
// connection ends after its share of the rows that a statement may read ($9), and tells where. No delivery is pending
// whose conversion occurred before the oldest one in a parcel.
/** By platforms ($7) and states ($8). */
const findByState = statement<ListedRow>(
  `select ${position('f.occurred_at', 'f.conversion_id')}, f.is_match, f.is_end
   from (
     select id, greatest($9::int / count(*) over (), 1) as rows_max from platform_connection
     where account_id = $1 and platform = any($7::text[])
   ) c
   cross join lateral (
     select case when $8::text[] <> '{pending}' or count(*) > ${parcelsMax} then '-infinity'
                 else coalesce(min(oldest_at) filter (where is_test = $2), 'infinity') end as oldest_at
     from (select oldest_at, is_test from delivery_due
           where $8::text[] = '{pending}' and connection_id = c.id limit ${parcelsMax + 1}) parcels
   ) since
   cross join lateral (
     select occurred_at, conversion_id, state = any($8::text[]) as is_match, place = c.rows_max as is_end
     from (
       select *, row_number() over () as place
       from (${newest('c.rows_max', 'occurred_at >= since.oldest_at')}) newest
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

// what takes some 5 ms
const readMaxUsual = 2_500;

/** Returns a page of an account's conversions, newest first: by when they occurred, then by id. */
export const listConversions = async (
  on: Queryable,
  mode: AccountMode,
  filter: ConversionFilter,
): Promise<ConversionPage> => {
  const { ids, next } = pageOf(await find(on, mode, filter), filter.limit);
  const rows = ids.length === 0 ? [] : await byIds(on, [mode.accountId, mode.isTest, ids]);
  return { items: await conversionsOf(on, mode, rows), next };
};
