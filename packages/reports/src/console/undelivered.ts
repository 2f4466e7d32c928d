import { type ConnectionState, type PlatformName, webhookName } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import type { AccountScope } from '@leadback/people';
import { boundedConnections, totalledMax } from './bounded-connections.ts';
import type { Money } from './measures.ts';

/** `delivered`: the platform accepted the event and reported a problem later. */
export type UndeliveredState = 'failed' | 'skipped' | 'delivered';

/** Which of an account's undelivered deliveries. */
export interface UndeliveredFilter {
  readonly connectionId?: number | undefined;
  readonly state?: UndeliveredState | undefined;
  /** See `reason_code` in the database. */
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

export interface UndeliveredGroup extends UndeliveredCounts {
  readonly connectionId: number;
  readonly platform: PlatformName;
  readonly connectionState: ConnectionState;
  readonly state: UndeliveredState;
  readonly code: string;
  /** The newest reason of the group, or what the platform reported later. */
  readonly example: string | null;
  /** Whether the connection has more: counts and money are those of its newest deliveries. */
  readonly isPartial: boolean;
}

/** SQL: connections to platforms. Webhooks are delivered in the same way, and are no part of these screens. */
export const isOfPlatform = `platform <> '${webhookName}'`;

// With an equal sign, the order of the primary key would do as well: where few of an account's deliveries are of the
// connection, PostgreSQL would read all of them.
const indexed = (account: string, connection: string) =>
  `f.account_id = ${account} and f.connection_id between ${connection} and ${connection}
   and (f.undelivered is not null or f.note is not null)`;

/** SQL: whether f is a live delivery that ended without success: what is counted is also what a retry takes. */
export const isEnded = `(
  (f.state in ('failed', 'skipped') or f.state = 'delivered' and f.note is not null) and not f.is_test)`;

/** SQL: the deliveries f of a connection that ended without success; order them as their index, by connection and id. */
export const ended = (account: string, connection: string) => `${indexed(account, connection)} and ${isEnded}`;

/**
 * SQL: the newest f of their index, as many as may be read of the connection c; `isEnded` says which of them count. With
 * one limit, PostgreSQL would expect to need so many that it reads and sorts all of them.
 */
export const newestIndexed = `lateral (
  select * from (
    select * from feedback f where ${indexed('$1', 'c.id')} order by f.connection_id desc, f.id desc limit c.rows_max
  ) newest limit c.rows_max) f`;

/** SQL: the code of the reason of a delivery f. */
export const codeOf = 'reason_code(f.state, f.reason)';

/** SQL: `Money[]` of rows with a sum of each currency (currency, amount): dollars first; [] if there is none. */
export const moneyOfSums = `coalesce(
  json_agg(json_build_object('currency', currency, 'amount', amount::text) order by currency = 'USD' desc, currency)
    filter (where currency is not null), '[]')`;

/** SQL: the conversion of a delivery f, by its key. */
const conversionOf = `
  left join lateral (
    select amount, currency from conversion where id = f.conversion_id and account_id + 0 = $1 limit 1) v on true`;

const group = preparedStatement<UndeliveredGroup>(
  'group-undelivered',
  `select g."connectionId", g.platform, g."connectionState", g.state, g.code, g.deliveries, g.conversions, g.money,
          g."isPartial", newest.example
   from (
   select "connectionId", platform, "connectionState", state, code, is_ended, max(last_id) as last_id,
          sum(counted)::int as deliveries, sum(of_conversions)::int as conversions, ${moneyOfSums} as money,
          sum(sum(counted)) over (partition by "connectionId") >= max(rows_max) as "isPartial"
   from (
     select c.id as "connectionId", c.platform, c.state as "connectionState", f.state, ${codeOf} as code,
            ${isEnded} as is_ended, v.currency, max(f.id) as last_id, max(c.rows_max) as rows_max,
            count(*) as counted, count(f.conversion_id) as of_conversions, sum(v.amount) as amount
     from ${boundedConnections({ max: '$2' })}
     cross join ${newestIndexed}
     ${conversionOf}
     group by 1, 2, 3, 4, 5, 6, 7) by_currency
   group by 1, 2, 3, 4, 5, 6) g
   cross join lateral (
     select coalesce(reason, note) as example from feedback where id = g.last_id and account_id + 0 = $1 limit 1) newest
   where g.is_ended order by g.deliveries desc, 1, 4, 5`,
);

/** Returns what ended without success, by connection, state and reason: most deliveries first. Tests are left out. */
export type UndeliveredReader = (scope: AccountScope) => Promise<UndeliveredGroup[]>;

export const undeliveredReader =
  (pool: Pool, max = totalledMax): UndeliveredReader =>
  ({ accountId }) =>
    group(pool, [accountId, max]);
