import { type ConnectionState, eventEarly, type EventKind, heldReasons, type PlatformName } from '@leadback/domain';
import { type Queryable, statement } from '@leadback/db';
import type { AccountScope } from '../people/access.ts';
import { isOfPlatform } from '../delivery/undelivered.ts';
import { shownLabel } from '../delivery/webhook-deliveries.ts';

/** How the newest live conversions of a connection ended. */
interface RecentDeliveries {
  readonly delivered: number;
  readonly failed: number;
  readonly skipped: number;
  readonly pending: number;
}

export interface ListedConnection {
  readonly id: number;
  readonly platform: PlatformName;
  /** What it is called; its destination if it has no label. */
  readonly label: string;
  readonly destination: string;
  readonly state: ConnectionState;
  /** Why the platform rejects it; null unless it needs attention. */
  readonly stateReason: string | null;
  readonly eventKinds: readonly EventKind[];
  readonly createdAt: Date;
  /** All pending deliveries, also of tests. */
  readonly waiting: number;
  /**
   * Adjustments among them that wait for the outcome of what was told before, and those that wait for a later attempt. Of
   * those only that are due first; 0 if the connection is not active.
   */
  readonly held: number;
  readonly retrying: number;
  /** Why one that is retried was not delivered yet, and when the next attempt is. */
  readonly retryReason: string | null;
  readonly retryAt: Date | null;
  /** Of the newest conversions. */
  readonly recent: RecentDeliveries;
  /** When one of these was delivered last. */
  readonly deliveredAt: Date | null;
  /** Live deliveries that failed within a day, among the newest that ended without success. */
  readonly failedInDay: number;
  /** Whether more may have failed. */
  readonly isFailedPartial: boolean;
}

interface Row extends Omit<ListedConnection, 'recent'>, RecentDeliveries {}

const connectionsMax = 200;

// The parameters: account, one connection or all of them, how many rows of each connection may be read, and the reasons of
// adjustments that are held.
const list = statement<Row>(
  `select c.id, c.platform, ${shownLabel()} as label, c.destination, c.state, c.state_reason as "stateReason", c.event_kinds as "eventKinds",
          c.created_at as "createdAt", parcels.waiting,
          case when c.state = 'active' then later.held else 0 end as held,
          case when c.state = 'active' then later.retrying else 0 end as retrying,
          case when c.state = 'active' then later.reason end as "retryReason",
          case when c.state = 'active' then later.not_before end as "retryAt",
          recent.*, ended."failedInDay", ended.rows_read >= $3 as "isFailedPartial"
   from (select * from platform_connection
         where account_id = $1 and ${isOfPlatform} and deleted_at is null and ($2::bigint is null or id = $2)
         order by id limit ${connectionsMax}) c
   cross join lateral (
     select coalesce(sum(cardinality(delivery_ids)), 0)::int as waiting
     from delivery_due where connection_id = c.id and account_id = $1
   ) parcels
   cross join lateral (
     select coalesce(sum(deliveries) filter (where reason = any($4::text[])), 0)::int as held,
            coalesce(sum(deliveries) filter (where is_retried), 0)::int as retrying,
            (array_agg(reason order by not_before) filter (where is_retried))[1] as reason,
            min(not_before) filter (where is_retried) as not_before
     from (
       select d.not_before, cardinality(d.delivery_ids) as deliveries, f.reason,
              coalesce(f.reason <> all($4::text[] || '${eventEarly}'::text), true) as is_retried
       from (select * from delivery_due
             where connection_id = c.id and account_id = $1 and not_before > now() and phase = 'waiting'
             order by not_before limit $3) d
       -- those of a parcel have waited for the same
       join delivery f on f.id = d.delivery_ids[1] and f.account_id = $1
     ) first
   ) later
   cross join lateral (
     select count(*) filter (where state = 'delivered')::int as delivered,
            count(*) filter (where state = 'failed')::int as failed,
            count(*) filter (where state = 'skipped')::int as skipped,
            count(*) filter (where state = 'pending')::int as pending,
            max(closed_at) filter (where state = 'delivered') as "deliveredAt"
     from (select state, closed_at from delivery
           where connection_id = c.id and account_id = $1 and is_test = false and occurred_at is not null
             and coalesce(conversion_id, 0) > 0 -- in these words, the condition of the index
           order by occurred_at desc, conversion_id desc limit $3) newest
   ) recent
   cross join lateral (
     select count(*) filter (where state = 'failed' and not is_test and closed_at > now() - interval '1 day')::int as "failedInDay",
            count(*)::int as rows_read
     from (select state, is_test, closed_at from delivery f
           where f.account_id = $1 and f.connection_id = c.id and (f.undelivered is not null or f.note is not null)
           order by f.id desc limit $3) latest
   ) ended
   order by c.id`,
);

/**
 * The connections of an account to platforms, with their health. `id`: only this one. `rowsMax`: how many deliveries of a
 * connection tell of its health.
 */
export const listConnections = async (
  on: Queryable,
  { accountId }: AccountScope,
  id?: number,
  rowsMax = 200,
): Promise<ListedConnection[]> => {
  const rows = await list(on, [accountId, id ?? null, rowsMax, heldReasons]);
  return rows.map(({ delivered, failed, skipped, pending, isFailedPartial, ...row }) => ({
    ...row,
    recent: { delivered, failed, skipped, pending },
    isFailedPartial: isFailedPartial && row.failedInDay > 0,
  }));
};
