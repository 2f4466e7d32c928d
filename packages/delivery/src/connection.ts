import type { ConnectionState, DestinationName } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';

/** A connection as a worker needs it to send. */
export interface DeliveryConnection {
  readonly id: number;
  readonly accountId: number;
  readonly platform: DestinationName;
  /** Grows with every change of settings, event names or credentials and every resume. */
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
