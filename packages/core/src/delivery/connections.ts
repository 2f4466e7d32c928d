import { type ConnectionState, type DestinationName, webhookDeleted } from '@leadback/domain';
import { type Pool, preparedStatement, type EntityManager, type Queryable, statement } from '@leadback/db';
import { z } from 'zod';
import { changedConnections, toldToWebhooks } from './tell-webhooks.ts';

/** A connection as a worker needs it to send. */
export interface DeliveryConnection {
  readonly id: number;
  readonly accountId: number;
  readonly platform: DestinationName;
  /** Grows with every change of settings, event names or credentials and every resume, but not as its platform renews credentials. */
  readonly version: number;
  readonly settings: unknown;
  /** What the platform calls the events that the partner names. */
  readonly eventNames: unknown;
  readonly encryptedCredentials: Buffer;
}

export interface ConnectionRow {
  connection_id: number;
  account_id: number;
  platform: DestinationName;
  version: number;
  settings: unknown;
  event_names: unknown;
  credentials: Buffer;
}

/** SQL: the columns of a `ConnectionRow`, of a `platform_connection` called c. */
export const connectionColumns = `c.id as connection_id, c.account_id, c.platform, c.version, c.settings, c.event_names, c.credentials`;

export const connectionOf = (row: ConnectionRow): DeliveryConnection => ({
  id: row.connection_id,
  accountId: row.account_id,
  platform: row.platform,
  version: row.version,
  settings: row.settings,
  eventNames: row.event_names,
  encryptedCredentials: row.credentials,
});

const read = preparedStatement<ConnectionRow & { state: ConnectionState }>(
  'read-connection',
  `select ${connectionColumns}, c.state from platform_connection c where c.id = $1 and c.account_id = $2`,
);

/** Throws if it was deleted: connections never are. */
export const readConnection = async (
  pool: Pool,
  { id, accountId }: Pick<DeliveryConnection, 'id' | 'accountId'>,
): Promise<DeliveryConnection> => {
  const [row] = await read(pool, [id, accountId]);
  if (!row) throw new Error(`connection ${id} does not exist`);
  return connectionOf(row);
};

const switchedSchema = z.array(z.object({ waiting: z.coerce.number() }));

const waitingOf = (connection: string) => `(
  select coalesce(sum(cardinality(d.delivery_ids)), 0)::int from delivery_due d
  where d.connection_id = ${connection}.id and d.account_id = ${connection}.account_id) as waiting`;

// a webhook that its partner deleted
const isNotDeleted = `and state_reason is distinct from '${webhookDeleted}'`;

/**
 * Pauses a connection: its deliveries wait, because only parcels of active connections are claimed.
 * Returns how many wait; undefined if there is no such connection. Deliveries that a worker has claimed are still sent.
 */
export const pauseConnection = async (em: EntityManager, id: number): Promise<number | undefined> => {
  const rows = await em.execute(
    `update platform_connection set state = 'paused', state_reason = null where id = ? ${isNotDeleted}
     returning ${waitingOf('platform_connection')}`,
    [id],
  );
  return switchedSchema.parse(rows)[0]?.waiting;
};

/**
 * Makes a connection active again; deliveries that waited for it have the full time for retries from now
 * on. Returns how many; undefined if there is no such connection. Rejections of requests made before count no more.
 * The account's webhooks are told of a connection that was not active.
 */
export const resumeConnection = async (em: EntityManager, id: number): Promise<number | undefined> => {
  const rows = await em.execute(
    `with before as (
       select id, state from platform_connection where id = ? ${isNotDeleted} for no key update
     ), switched as (
       update platform_connection c set state = 'active', state_reason = null, resumed_at = now(),
         verify_at = case when c.verify_at is not null then least(c.verify_at, now() + interval '10 seconds') end,
         verify_attempts = 0
       from before where c.id = before.id
       returning c.id, c.account_id, c.platform, c.state, c.state_reason, c.is_test, before.state as earlier_state
     ), ${toldToWebhooks(
       'select account_id from switched',
       changedConnections(`switched where earlier_state <> 'active'`, 'connection.recovered'),
     )} select ${waitingOf('switched')} from switched`,
    [id],
  );
  return switchedSchema.parse(rows)[0]?.waiting;
};

const parcelsMax = 50;

// Parcels are locked before deliveries, here as in every statement.
const drop = statement<{ parcels: number }>(
  `with parcel as (
     select id from delivery_due where connection_id = $1 and account_id = $2
     order by not_before limit ${parcelsMax} for update
   ), gone as (
     delete from delivery_due where id = any(array(select id from parcel)) returning delivery_ids
   ), dropped as (
     delete from delivery
     where id = any(array(select unnest(delivery_ids) from gone)) and account_id = $2 and connection_id = $1
       and state = 'pending'
   )
   select count(*)::int as parcels from gone`,
);

/**
 * Deletes some of the deliveries that wait for a paused connection, as if they had never been enqueued. Returns whether
 * there may be more. What a worker is sending now may still arrive; its outcome is not saved.
 */
export const dropWaitingDeliveries = async (
  on: Queryable,
  { id, accountId }: { readonly id: number; readonly accountId: number },
): Promise<boolean> => {
  const [dropped] = await drop(on, [id, accountId]);
  return dropped?.parcels === parcelsMax;
};
