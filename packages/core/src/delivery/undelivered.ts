import { finalReasons, webhookName, type ConnectionState, type PlatformName } from '@leadback/domain';
import { type Queryable, statement } from '@leadback/db';
import type { AccountScope } from '../people/access.ts';
import type { Money } from '../metrics/overview.ts';
import { shownLabel } from './webhook-deliveries.ts';

/** Of how many deliveries of an account totals are read: adding up so many takes some 40 ms. */
export const totalledMax = 10_000;

/** SQL: connections to platforms. Webhooks are delivered in the same way, and are no part of these screens. */
export const isOfPlatform = `platform <> '${webhookName}'`;

/**
 * SQL: connections c of the account $1 to platforms, but those that were deleted, with `rows_max`: how many deliveries of each may be read, so that an
 * account of any size has its totals in time. Up to twenty connections share the bound of $2 evenly.
 */
export const boundedConnections = (where = 'true'): string => `(
  select id, account_id, platform, ${shownLabel('platform_connection')} as label, destination, state, state_reason, state_since,
         $2::int / least(count(*) over (), 20) as rows_max
  from platform_connection where account_id = $1 and ${isOfPlatform} and deleted_at is null and ${where}) c`;

/** `delivered`: the platform accepted the event and reported a problem later. */
type UndeliveredState = 'failed' | 'skipped' | 'delivered';

/** Which of an account's undelivered deliveries. */
export interface UndeliveredFilter {
  readonly connectionId?: number | undefined;
  readonly state?: UndeliveredState | undefined;
  /** See `reason_code` in the database. Undefined: all that somebody can change. */
  readonly code?: string | undefined;
  /** The id of the oldest delivery that counts. */
  readonly since?: number | undefined;
}

export interface UndeliveredCounts {
  readonly deliveries: number;
  /** Leads and adjustments are of none. */
  readonly conversions: number;
  /** Of the conversions, as they were registered. */
  readonly money: Money[];
}

interface UndeliveredGroup extends UndeliveredCounts {
  /** Whether nobody can change it. */
  readonly isFinal: boolean;
  readonly connectionId: number;
  readonly platform: PlatformName;
  /** What the connection is called, and where it leads. */
  readonly label: string;
  readonly destination: string;
  readonly connectionState: ConnectionState;
  readonly state: UndeliveredState;
  readonly code: string;
  /** The newest reason of the group, or what the platform reported later. */
  readonly example: string | null;
  /** Whether the connection has more: counts and money are those of its newest deliveries. */
  readonly isPartial: boolean;
}

/** SQL: the deliveries f of a connection c that may have ended without success, as their index has them. */
export const indexed = `f.account_id = c.account_id and f.connection_id = c.id and (f.undelivered is not null or f.note is not null)`;

/** SQL: whether f is a live delivery that ended without success: what is counted is also what a retry takes. */
export const isEnded = `(
  (f.state in ('failed', 'skipped') or f.state = 'delivered' and f.note is not null) and not f.is_test)`;

/** SQL: the newest f of their index, as many as may be read of the connection c; `isEnded` says which of them count. */
const newestIndexed = `lateral (select * from delivery f where ${indexed} order by f.id desc limit c.rows_max) f`;

/** SQL: the code of the reason of a delivery f. */
export const codeOf = 'reason_code(f.state, f.reason)';

/** SQL: whether nobody can change how a delivery of this state and code ended. */
export const isFinal = (state: string, code: string): string =>
  `(${state} <> 'delivered' and ${code} = any('{${finalReasons.join(',')}}'))`;

/** SQL: whether a retry takes f: with a code (a parameter), whatever has it; without, whatever somebody can change. */
const isWanted = (code: string): string =>
  `case when ${code}::text is null then not ${isFinal('f.state', codeOf)} else ${codeOf} = ${code} end`;

/** SQL: `Money[]` of rows with a sum of each currency (currency, amount), in the order of the account ($1); [] if there is none. */
export const moneyOfSums = `coalesce(
  json_agg(json_build_object('currency', currency, 'amount', amount::text)
           order by array_position((select currencies from account where id = $1), currency), currency)
    filter (where currency is not null), '[]')`;

const group = statement<UndeliveredGroup>(
  `select g."connectionId", g.platform, g.label, g.destination, g."connectionState", g.state, g.code, g.deliveries, g.conversions, g.money,
          g."isPartial", ${isFinal('g.state', 'g.code')} as "isFinal", coalesce(newest.reason, newest.note) as example
   from (
   select "connectionId", platform, label, destination, "connectionState", state, code, is_ended, max(last_id) as last_id,
          sum(counted)::int as deliveries, sum(of_conversions)::int as conversions, ${moneyOfSums} as money,
          sum(sum(counted)) over (partition by "connectionId") >= max(rows_max) as "isPartial"
   from (
     select c.id as "connectionId", c.platform, c.label, c.destination, c.state as "connectionState", f.state, ${codeOf} as code,
            ${isEnded} as is_ended, v.currency, max(f.id) as last_id, max(c.rows_max) as rows_max,
            count(*) as counted, count(f.conversion_id) as of_conversions, sum(v.amount) as amount
     from ${boundedConnections()}
     cross join ${newestIndexed}
     left join conversion v on v.id = f.conversion_id and v.account_id = $1
     group by 1, 2, 3, 4, 5, 6, 7, 8, 9) by_currency
   group by 1, 2, 3, 4, 5, 6, 7, 8) g
   join delivery newest on newest.id = g.last_id and newest.account_id = $1
   where g.is_ended order by g.deliveries desc, 1, g.state, g.code`,
);

/** What ended without success, by connection, state and reason: most deliveries first. Tests are left out. */
export const readUndelivered = (
  on: Queryable,
  { accountId }: AccountScope,
  max = totalledMax,
): Promise<UndeliveredGroup[]> => group(on, [accountId, max]);

/** What a retry would take now, and what it would leave. */
interface RetryCount {
  readonly deliveries: number;
  /** Different ones; leads and adjustments are of none. */
  readonly conversions: number;
  /** Of these conversions, as they were registered. */
  readonly money: Money[];
  /** Of connections that are not active. */
  readonly held: {
    readonly connectionId: number;
    readonly connectionState: ConnectionState;
    readonly deliveries: number;
  }[];
  /** Whether there are more: the other figures are those of each connection's newest deliveries. */
  readonly isPartial: boolean;
  /** The newest delivery that it may take; 0: none. */
  readonly lastId: number;
}

const count = statement<RetryCount>(
  `with newest as (
     select c.id as connection_id, c.state as connection_state, c.rows_max, f.id, f.conversion_id,
            ${isEnded} and ($4::text is null or f.state = $4) and ${isWanted('$5')} and f.id >= $6 as is_wanted
     from ${boundedConnections('($3::bigint is null or id = $3)')}
     cross join ${newestIndexed}
   ), ended as (select * from newest where is_wanted)
   select (select count(*)::int from ended where connection_state = 'active') as deliveries,
          (select coalesce(max(id), 0) from newest where connection_state = 'active') as "lastId",
          exists (select from newest where connection_state = 'active'
                  group by connection_id having count(*) >= max(rows_max) and min(id) >= $6) as "isPartial",
          coalesce(sum(conversions), 0)::int as conversions, ${moneyOfSums} as money,
          (select coalesce(json_agg(h), '[]') from (
             select connection_id as "connectionId", connection_state as "connectionState", count(*)::int as deliveries
             from ended where connection_state <> 'active' group by 1, 2 order by 1) h) as held
   from (
     select v.currency, count(*) as conversions, sum(v.amount) as amount
     from (select distinct conversion_id as id from ended
           where connection_state = 'active' and conversion_id is not null) taken
     join conversion v on v.id = taken.id and v.account_id = $1
     group by 1) by_currency`,
);

/** Counts what a retry of everything undelivered takes, narrowed by a filter. */
export const countUndelivered = async (
  on: Queryable,
  { accountId }: AccountScope,
  { connectionId, state, code, since }: UndeliveredFilter,
  max = totalledMax,
): Promise<RetryCount> => {
  const [row] = await count(on, [accountId, max, connectionId ?? null, state ?? null, code ?? null, since ?? 0]);
  if (!row) throw new Error('a count returned no row');
  return row;
};

/** A place among the undelivered deliveries of an account: by connection, then by id. */
interface UndeliveredPlace {
  readonly connectionId: number;
  readonly id: number;
}

const next = statement<UndeliveredPlace>(
  `select c.id as "connectionId", f.id
   from platform_connection c
   cross join lateral (
     select f.id from delivery f
     where ${indexed} and ${isEnded} and f.id > case when c.id = $2 then $3 else 0 end and f.id >= $4 and f.id <= $5
       and ($6::text is null or f.state = $6) and ${isWanted('$7')}
     order by f.id limit $9) f
   where c.account_id = $1 and c.${isOfPlatform} and c.state = 'active' and c.id >= $2 and ($8::bigint is null or c.id = $8)
   order by c.id, f.id limit $9`,
);

/**
 * The next undelivered deliveries of active connections after a place, up to the newest one that counts. For batches: takes
 * the same deliveries as `countUndelivered` counts.
 */
export const nextUndelivered = (
  on: Queryable,
  accountId: number,
  { connectionId, state, code, since }: UndeliveredFilter,
  { after, lastId, limit }: { readonly after: UndeliveredPlace; readonly lastId: number; readonly limit: number },
): Promise<UndeliveredPlace[]> =>
  next(on, [
    accountId,
    after.connectionId,
    after.id,
    since ?? 0,
    lastId,
    state ?? null,
    code ?? null,
    connectionId ?? null,
    limit,
  ]);
