import { type Pool, preparedStatement } from '@leadback/db';
import { connectionColumns, connectionOf, type ConnectionRow, type DeliveryConnection } from './connection.ts';
import { claimLease, retriedFor } from './limits.ts';

/** A request that a platform accepted and whose status is due to be checked. */
export interface DuePlatformRequest {
  readonly id: number;
  /** The platform's id of the request. */
  readonly name: string;
  /** How often it was checked, including this time. */
  readonly looks: number;
  readonly isLastLook: boolean;
  /** How many deliveries on record belong to it. */
  readonly deliveries: number;
  readonly connection: DeliveryConnection;
}

interface Row extends ConnectionRow {
  request_id: number;
  name: string;
  looks: number;
  is_last_look: boolean;
  deliveries: number;
}

// Active connections first, and of each its oldest due requests by key: those of paused connections may be many, and stay
// the oldest until the connection is resumed. `account_id + 0` is not looked up in the index of accounts. As with parcels,
// `skip locked` gives each worker rows of its own, and those of a crashed worker are due after a lease.
const take = preparedStatement<Row>(
  'take-due-platform-requests',
  `with due as materialized (
     select oldest.id
     from (select r.id, r.account_id, r.look_at
           from (select id, account_id from platform_connection where state = 'active' offset 0) c
           cross join lateral (
             select id, account_id, look_at from platform_request
             where connection_id = c.id and account_id + 0 = c.account_id and look_at <= now()
             order by look_at limit $1) r
           order by r.look_at offset 0) oldest
     cross join lateral (
       select id from platform_request where id = oldest.id and look_at <= now() limit 1 for update skip locked) locked
     limit $1
   ), taken as (
     update platform_request r set look_at = now() + $2::interval, looks = r.looks + 1
     where r.id = any(array(select id from due))
     returning r.*
   )
   select t.id as request_id, t.name, t.looks, t.created_at <= now() - $3::interval and t.looks >= $4 as is_last_look,
          (select count(distinct f.id)
           from (select feedback_id from feedback_attempt
                 where platform_request = t.name and account_id = t.account_id offset 0) a
           cross join lateral (
             select id from feedback
             where id = a.feedback_id and account_id + 0 = t.account_id and connection_id = t.connection_id limit 1) f
          ) as deliveries,
          ${connectionColumns}
   from taken t
   cross join lateral (
     select * from platform_connection where id = t.connection_id and account_id = t.account_id limit 1) c
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
    looks: row.looks,
    isLastLook: row.is_last_look,
    deliveries: row.deliveries,
    connection: connectionOf(row),
  }));
};

const postpone = preparedStatement(
  'postpone-platform-request',
  `update platform_request set look_at = now() + $4 * interval '1 ms'
   where id = $1 and account_id = $2 and connection_id = $3 and look_at is not null`,
);

/** Schedules the next check of a request. */
export const postponePlatformRequest = async (
  pool: Pool,
  { id, connection }: DuePlatformRequest,
  pauseMs: number,
): Promise<void> => {
  await postpone(pool, [id, connection.accountId, connection.id, pauseMs]);
};
