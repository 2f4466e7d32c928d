import type {
  AdjustmentKind,
  ConnectionState,
  Currency,
  EventKind,
  DeliveryState,
  PlatformName,
  AttemptOutcome,
} from '@leadback/domain';
import { type Queryable, statement } from '@leadback/db';
import type { AccountScope } from '../people/access.ts';
import type { Money } from '../metrics/overview.ts';
import { nextAttemptOf } from './enqueue.ts';
import { isOfPlatform } from './undelivered.ts';
import { shownLabel } from './webhook-deliveries.ts';

export interface DeliveryFilter {
  readonly platform?: PlatformName | undefined;
  readonly connectionId?: number | undefined;
  readonly state?: DeliveryState | undefined;
  /** Of the reason; see `reason_code` in the database. */
  readonly code?: string | undefined;
  readonly conversionId?: number | undefined;
  readonly isTest: boolean;
  /** Only deliveries with smaller ids. */
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface ListedDelivery {
  readonly id: number;
  readonly connectionId: number;
  readonly platform: PlatformName;
  /** What its connection is called, and where that leads. */
  readonly label: string;
  readonly destination: string;
  readonly isConnectionDeleted: boolean;
  readonly connectionState: ConnectionState;
  readonly event: EventKind | AdjustmentKind;
  /** Null: it reports a lead. */
  readonly conversionId: number | null;
  /** The click of the conversion that its platform is told of; null: it reports a lead. */
  readonly leadId: number | null;
  readonly externalReference: string | null;
  /** What is told: of a conversion as it was registered, of an adjustment its new total. */
  readonly amount: Money | null;
  /** The total before an adjustment; null: it is none. */
  readonly previousAmount: Money | null;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly code: string | null;
  readonly note: string | null;
  /** Whether the platform says that it used the event; null: it has not said, or never does. */
  readonly isConfirmed: boolean | null;
  readonly attempts: number;
  readonly isTest: boolean;
  readonly occurredAt: Date | null;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
  /** Null: it is closed, being sent, or its connection is not active. */
  readonly nextAttemptAt: Date | null;
  readonly canRetry: boolean;
}

interface Row extends Omit<ListedDelivery, 'amount' | 'previousAmount'> {
  amount: string | null;
  previousAmount: string | null;
  currency: Currency | null;
}

interface Found {
  id: number;
  is_match: boolean;
  /** Whether the search ended here, although there may be more. */
  is_end: boolean;
}

// The first parameters of all: account, the page before, how many are wanted, mode, platform, connection, code.
const connections = `
  select id from platform_connection
  where account_id = $1 and ${isOfPlatform} and ($5::text is null or platform = $5) and ($6::bigint is null or id = $6)`;
const isBefore = '($2::bigint is null or f.id < $2)';
const hasCode = '($7::text is null or reason_code(f.state, f.reason) = $7)';

/**
 * Failed or skipped ($8): reads those that ended without success, connection by connection, and of each its share of the
 * rows that may be read ($9).
 */
const findUndelivered = statement<Found>(
  `select f.id, f.is_match, f.is_end
   from (select id, greatest($9::int / count(*) over (), 1) as rows_max from (${connections}) own) c
   cross join lateral (
     select id, is_match, place = c.rows_max as is_end from (
       select f.id, row_number() over (order by f.id desc) as place,
              f.undelivered = $8::text and f.is_test = $4 and ${hasCode} as is_match
       from delivery f
       where f.account_id = $1 and f.connection_id = c.id and (f.undelivered is not null or f.note is not null)
         and ${isBefore}
       order by f.id desc limit c.rows_max
     ) numbered
     where is_match or place = c.rows_max limit $3
   ) f
   order by f.id desc`,
);

/** By any state ($8): reads the account's deliveries in their order, at most so many ($9). */
const findByState = statement<Found>(
  `select id, is_match, place = $9::int as is_end
   from (
     select f.id, row_number() over (order by f.id desc) as place,
            f.is_test = $4 and f.connection_id = any(array(${connections})) and ($8::text is null or f.state = $8)
              and ${hasCode} as is_match
     from delivery f where f.account_id = $1 and ${isBefore} order by f.id desc limit $9::int
   ) numbered
   where is_match or place = $9::int order by id desc limit $3`,
);

/** Of one conversion ($8) and its adjustments. */
const findOfConversion = statement<Found>(
  `select f.id, true as is_match, false as is_end
   from (
     select * from delivery where conversion_id = $8
     union all
     select its.* from conversion_adjustment a join delivery its on its.adjustment_id = a.id where a.conversion_id = $8
   ) f
   where f.account_id = $1 and f.connection_id in (${connections}) and ${isBefore} and f.is_test = $4 and ${hasCode}
     and ($9::text is null or f.state = $9)
   order by f.id desc limit $3`,
);

const read = statement<Row>(
  `select f.id, c.id as "connectionId", c.platform, ${shownLabel()} as label, c.destination,
          c.deleted_at is not null as "isConnectionDeleted", c.state as "connectionState",
          case when f.client_id is not null then 'lead' else coalesce(a.kind, 'conversion') end as event,
          v.id as "conversionId", coalesce(f.lead_id, v.lead_id) as "leadId", coalesce(v.external_reference, v.test_reference) as "externalReference",
          coalesce(a.amount, v.amount) as amount, a.previous_amount as "previousAmount", v.currency, f.state, f.reason,
          case when f.state in ('failed', 'skipped') then reason_code(f.state, f.reason) end as code,
          nullif(concat_ws('. ', f.event_note, f.note), '') as note, f.is_confirmed as "isConfirmed", f.attempts, f.is_test as "isTest",
          f.occurred_at as "occurredAt", f.created_at as "createdAt", f.closed_at as "closedAt",
          ${nextAttemptOf('c')} as "nextAttemptAt",
          c.state = 'active' and (f.state in ('failed', 'skipped') or f.state = 'delivered' and f.note is not null) as "canRetry"
   from delivery f
   join platform_connection c on c.id = f.connection_id and c.account_id = f.account_id and c.${isOfPlatform}
   left join conversion_adjustment a on a.id = f.adjustment_id and a.account_id = f.account_id
   left join conversion v on v.id = coalesce(f.conversion_id, a.conversion_id) and v.account_id = f.account_id
   where f.id = any($2::bigint[]) and f.account_id = $1
   order by array_position($2::bigint[], f.id)`,
);

const moneyOf = (amount: string | null, currency: Currency | null): Money | null =>
  amount === null || currency === null ? null : { currency, amount };

/** The deliveries of an account with these ids, in their order. Others are left out. */
export const readListedDeliveries = async (
  on: Queryable,
  { accountId }: AccountScope,
  ids: readonly number[],
): Promise<ListedDelivery[]> => {
  const rows = ids.length === 0 ? [] : await read(on, [accountId, ids]);
  return rows.map(({ amount, previousAmount, currency, ...row }) => ({
    ...row,
    amount: moneyOf(amount, currency),
    previousAmount: moneyOf(previousAmount, currency),
  }));
};

interface DeliveryPage {
  /** May be fewer than the limit although there are more. */
  readonly items: ListedDelivery[];
  /** For `after`; undefined if there are no more. */
  readonly next: number | undefined;
}

const find = (
  on: Queryable,
  { accountId }: AccountScope,
  filter: DeliveryFilter,
  readMax: number,
): Promise<Found[]> => {
  const { platform, connectionId, state, code, conversionId, isTest, after, limit } = filter;
  const narrowed = [isTest, platform ?? null, connectionId ?? null, code ?? null];
  // one more than the page has tells whether there are more
  const first = [accountId, after ?? null, limit + 1, ...narrowed];
  if (conversionId !== undefined) return findOfConversion(on, [...first, conversionId, state ?? null]);
  if (state === 'failed' || state === 'skipped') return findUndelivered(on, [...first, state, readMax]);
  return findByState(on, [...first, state ?? null, readMax]);
};

/** A page of an account's deliveries, newest first. `readMax`: how many deliveries the search may read for it. */
export const listDeliveries = async (
  on: Queryable,
  scope: AccountScope,
  filter: DeliveryFilter,
  readMax = 5_000,
): Promise<DeliveryPage> => {
  const found = await find(on, scope, filter, readMax);
  // what is older than the first end of a search may be incomplete
  const endAt = found.findIndex(({ is_end: isEnd }) => isEnd);
  const complete = endAt === -1 ? found : found.slice(0, endAt + 1);
  const ids = complete.filter(({ is_match: isMatch }) => isMatch).map(({ id }) => id);
  const page = ids.slice(0, filter.limit);
  const next = ids.length > page.length ? page.at(-1) : found[endAt]?.id;
  return { items: await readListedDeliveries(on, scope, page), next };
};

interface DeliveryAttempt {
  readonly at: Date;
  readonly outcome: AttemptOutcome;
  readonly reason: string | null;
  readonly httpStatus: number | null;
  /** The platform's response, without secrets or personal data. */
  readonly answer: string | null;
  readonly durationMs: number;
  readonly platformRequest: string | null;
}

const attemptsMax = 200;

const readAttempts = statement<DeliveryAttempt>(
  `select at, outcome, reason, "httpStatus", answer, "durationMs", "platformRequest" from (
     select created_at as at, outcome, reason, http_status as "httpStatus", answer, duration_ms as "durationMs",
            platform_request as "platformRequest", id
     from delivery_attempt where delivery_id = $2 and account_id = $1 order by id desc limit ${attemptsMax}
   ) newest order by id`,
);

/** A delivery with its newest 200 attempts, oldest first; undefined if the account has no such delivery. */
export const readDelivery = async (
  on: Queryable,
  scope: AccountScope,
  id: number,
): Promise<{ delivery: ListedDelivery; attempts: DeliveryAttempt[] } | undefined> => {
  const [delivery] = await readListedDeliveries(on, scope, [id]);
  if (!delivery) return undefined;
  return { delivery, attempts: await readAttempts(on, [scope.accountId, id]) };
};
