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

// As with parcels, `skip locked` gives each worker rows of its own, and those of a crashed worker are due after a
// lease.
const take = preparedStatement<Row>(
  'take-due-platform-requests',
  `with due as (
     select r.id from platform_request r
     join platform_connection c on c.id = r.connection_id and c.account_id = r.account_id
     where r.look_at <= now() and c.state = 'active'
     order by r.look_at limit $1 for update of r skip locked
   ), taken as (
     update platform_request r set look_at = now() + $2::interval, looks = r.looks + 1
     from due where r.id = due.id
     returning r.*
   )
   select t.id as request_id, t.name, t.looks, t.created_at <= now() - $3::interval and t.looks >= $4 as is_last_look,
          (select count(distinct a.feedback_id) from feedback_attempt a
           join feedback f on f.id = a.feedback_id and f.account_id = a.account_id
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
