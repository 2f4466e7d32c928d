import type { ConnectionState, DestinationName } from '@leadback/domain';
import { type Pool, preparedStatement, type Queryable, statement } from '@leadback/db';

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
