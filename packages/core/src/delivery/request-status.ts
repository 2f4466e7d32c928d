import { type Pool, statement } from '@leadback/db';
import { connectionColumns, connectionOf, type ConnectionRow, type DeliveryConnection } from '../connections/open.ts';
import { claimLease } from './claim.ts';
import { retriedFor, retriedSince } from './settle.ts';
import { packed } from './enqueue.ts';
import {
  changedConnectionColumns,
  changedConnections,
  closedDeliveries,
  sentToWebhooks,
} from './webhook-deliveries.ts';

/** A request that a platform accepted and whose status is due to be checked. */
export interface DuePlatformRequest {
  readonly id: number;
  /** The platform's id of the request. */
  readonly name: string;
  /** How often it was checked, including this time. */
  readonly checks: number;
  readonly isLastCheck: boolean;
  /** How many deliveries on record belong to it. */
  readonly deliveries: number;
  readonly connection: DeliveryConnection;
}

interface Row extends ConnectionRow {
  request_id: number;
  name: string;
  checks: number;
  is_last_check: boolean;
  deliveries: number;
}

// The oldest of each active connection: those of paused connections may be many, and stay the oldest until the connection
// is resumed. As with parcels, `skip locked` gives each worker rows of its own, and those of a crashed worker are due after
// a lease.
const take = statement<Row>(
  `with oldest as (
     select r.id
     from platform_connection c
     cross join lateral (
       select id from platform_request
       where connection_id = c.id and account_id = c.account_id and check_at <= now() order by check_at limit $1) r
     where c.state = 'active'
   ), due as (
     select id from platform_request where id = any(array(select id from oldest)) and check_at <= now()
     order by check_at limit $1 for update skip locked
   ), taken as (
     update platform_request r set check_at = now() + $2::interval, checks = r.checks + 1
     where r.id = any(array(select id from due))
     returning r.*
   )
   select t.id as request_id, t.name, t.checks, t.created_at <= now() - $3::interval and t.checks >= $4 as is_last_check,
          (select count(distinct f.id)
           from delivery_attempt a join delivery f on f.id = a.delivery_id and f.account_id = a.account_id
           where a.platform_request = t.name and a.account_id = t.account_id and f.connection_id = t.connection_id
          ) as deliveries,
          ${connectionColumns}
   from taken t join platform_connection c on c.id = t.connection_id and c.account_id = t.account_id
   order by t.id`,
);

// a request whose connection was paused for days gets several checks
const looksMin = 5;

/** Takes at most `rowsMax` due requests of active connections, for one lease. */
export const takeDuePlatformRequests = async (pool: Pool, rowsMax: number): Promise<DuePlatformRequest[]> => {
  const rows = await take(pool, [rowsMax, claimLease, retriedFor, looksMin]);
  return rows.map((row) => ({
    id: row.request_id,
    name: row.name,
    checks: row.checks,
    isLastCheck: row.is_last_check,
    deliveries: row.deliveries,
    connection: connectionOf(row),
  }));
};

const postpone = statement(
  `update platform_request set check_at = now() + $4 * interval '1 ms'
   where id = $1 and account_id = $2 and connection_id = $3 and check_at is not null`,
);

/** Schedules the next check of a request. */
export const postponePlatformRequest = async (
  pool: Pool,
  { id, connection }: DuePlatformRequest,
  pauseMs: number,
): Promise<void> => {
  await postpone(pool, [id, connection.accountId, connection.id, pauseMs]);
};

/** What a final request status means for deliveries of the request. */
export interface RequestStatusEffect {
  /** Their new state; `delivered`: unchanged, only the note is written. */
  readonly state: 'delivered' | 'failed' | 'skipped' | 'pending';
  readonly reason: string | null;
  /** Belongs to `pending`. */
  readonly pauseMs: number | null;
  /** Whether `reason` applies to each of them, or to some that the platform does not name. */
  readonly isOfAll: boolean;
  /** Why the platform rejects the connection itself; belongs to `pending`. Null if it does not. */
  readonly refusal: string | null;
  readonly note: string | null;
  /** Whether the platform says that it used each event. Belongs to `delivered`. */
  readonly isConfirmed: boolean;
}

/** Of the events that a platform names by their positions in the request. It rejects no connection. */
export interface NamedEffect extends RequestStatusEffect {
  readonly indices: readonly number[];
}

// The first result wins. Deliveries that were sent again since (a later attempt) no longer concern this request. Those
// whose retry would be after the last day for retries have failed; if the reason is not known to be their own, they
// stay as they are.
//
// A rejection sets the connection to needs_attention, and its deliveries wait for it, unless the connection was resumed
// after the request was made: then the rejection is obsolete and they are due. The request was made when its attempts
// began; attempts and request are saved when they end.
const close = statement<{ delivery_id: number }>(
  `with closed as (
     update platform_request set verdict = $4::jsonb, check_at = null
     where id = $1 and account_id = $2 and connection_id = $3 and check_at is not null
     returning name, account_id, connection_id, created_at
   ), effect as (
     select * from json_to_recordset($5) as (
       n int, state text, reason text, "pauseMs" float8, "isOfAll" boolean, refusal text, note text, "isConfirmed" boolean,
       indices int[])
   ), named as (
     select n, unnest(indices) as position from effect
   ), attempt as (
     select a.id, a.delivery_id, a.request_position, a.created_at - a.duration_ms * interval '1 ms' as began_at
     from closed c
     join delivery_attempt a on a.platform_request = c.name and a.account_id = c.account_id
     join delivery f on f.id = a.delivery_id and f.account_id = c.account_id and f.connection_id = c.connection_id
   ), made as (
     select coalesce((select min(began_at) from attempt), c.created_at) as made_at from closed c
   ), refusal as (
     select p.id, e.refusal as reason, p.state = 'active' as is_active,
            coalesce(p.resumed_at > made.made_at, false) as is_over
     from closed c cross join effect e cross join made
     join platform_connection p on p.id = c.connection_id and p.account_id = c.account_id
     where e.refusal is not null for no key update of p
   ), needs_attention as (
     update platform_connection c set state = 'needs_attention', state_reason = r.reason
     from refusal r where c.id = r.id and r.is_active and not r.is_over
     returning ${changedConnectionColumns}
   ), concerned as (
     select f.id, f.account_id, f.connection_id, e.reason, e.note, e."isConfirmed" as is_confirmed, f.is_test,
            r.id is not null and r.is_active and r.is_over as starts_anew,
            case when r.id is null then now() + e."pauseMs" * interval '1 ms' else now() end as again_at,
            coalesce(f.retried_since, f.created_at) as retry_from, coalesce(f.occurred_at, f.created_at) as oldest_at,
            case when e.state <> 'pending' or r.id is not null then e.state
                 when now() + e."pauseMs" * interval '1 ms' <= ${retriedSince} + $6::interval then 'pending'
                 when e."isOfAll" then 'exhausted'
                 else 'delivered' end as becomes
     from (select distinct on (delivery_id) * from attempt order by delivery_id, id desc) a
     left join named on named.position = a.request_position
     join effect e on e.n = coalesce(named.n, 0)
     left join refusal r on e.refusal is not null
     join delivery f on f.id = a.delivery_id
     join platform_connection c on c.id = f.connection_id
     where f.state = 'delivered' and not exists (
       select from delivery_attempt where delivery_id = f.id and account_id = f.account_id and id > a.id)
     order by f.id for update of f
   ), open as (
     select id, account_id, connection_id, is_test, again_at as not_before, 1 as claim, 0 as claims_lost,
            case when starts_anew then now() else retry_from end as retry_from, oldest_at, becomes, reason, note, is_confirmed,
            starts_anew
     from concerned where becomes = 'pending'
   ), ${packed}, changed as (
   update delivery f set
     state = case c.becomes when 'exhausted' then 'failed' else c.becomes end,
     reason = case c.becomes when 'delivered' then f.reason
                             when 'exhausted' then 'retries_exhausted: ' || c.reason
                             else c.reason end,
     parcel_id = c.parcel_id,
     retried_since = case when c.starts_anew then now() else f.retried_since end,
     closed_at = case c.becomes when 'delivered' then f.closed_at when 'pending' then null else now() end,
     note = c.note, event_note = case c.becomes when 'delivered' then f.event_note end,
     is_confirmed = case c.becomes when 'delivered' then c.is_confirmed when 'pending' then null else false end
   from (
     select id, becomes, reason, note, is_confirmed, starts_anew, parcel_id from placed
     union all
     select id, becomes, reason, note, is_confirmed, starts_anew, null from concerned where becomes <> 'pending'
   ) c
   where f.id = any(array(select id from concerned)) and f.id = c.id
   returning f.id, f.account_id, f.connection_id, f.state, f.reason, f.is_test, f.conversion_id, f.client_id,
             f.adjustment_id, f.webhook_event_id
   ), ${sentToWebhooks(
     'select account_id from concerned union all select account_id from needs_attention',
     `${closedDeliveries(`(select * from changed where state <> 'delivered')`)}
       union all ${changedConnections('needs_attention', 'connection.needs_attention')}`,
   )}
   select id as delivery_id from changed`,
);

/**
 * Transition 12. Saves the final status of a request, its effect on the events that the platform names, and that on all
 * others. Returns the ids of the changed deliveries.
 */
export const closePlatformRequest = async (
  pool: Pool,
  { id, connection }: DuePlatformRequest,
  {
    verdict,
    effect,
    named = [],
  }: { readonly verdict: unknown; readonly effect: RequestStatusEffect; readonly named?: readonly NamedEffect[] },
): Promise<number[]> => {
  const parameters = [
    id,
    connection.accountId,
    connection.id,
    JSON.stringify(verdict),
    JSON.stringify([effect, ...named].map((one, n) => ({ n, ...one }))),
    retriedFor,
  ];
  const rows = await close(pool, parameters);
  return rows.map(({ delivery_id: deliveryId }) => deliveryId);
};
