import type { ConnectionState, DestinationName } from '@leadback/domain';
import { type Pool, preparedStatement, type Queryable, statement } from '@leadback/db';
import { connectionKeys, decryptCredentials, encryptCredentials, type SecretsKeys } from '@leadback/domain/keys';
import type { PlatformAccess, Platforms, SendingMode, StoredCredentials } from '@leadback/platforms';
import { ActionRefused } from '../people/access.ts';

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
  /** When somebody entered the credentials, to the microsecond. */
  readonly credentialsEnteredAt: string;
}

export interface ConnectionRow {
  connection_id: number;
  account_id: number;
  platform: DestinationName;
  version: number;
  settings: unknown;
  event_names: unknown;
  credentials: Buffer;
  credentials_entered_at: string;
}

/** SQL: the columns of a `ConnectionRow`, of a `platform_connection` called c. */
export const connectionColumns = `c.id as connection_id, c.account_id, c.platform, c.version, c.settings, c.event_names, c.credentials,
  c.credentials_entered_at::text`;

export const connectionOf = (row: ConnectionRow): DeliveryConnection => ({
  id: row.connection_id,
  accountId: row.account_id,
  platform: row.platform,
  version: row.version,
  settings: row.settings,
  eventNames: row.event_names,
  encryptedCredentials: row.credentials,
  credentialsEnteredAt: row.credentials_entered_at,
});

const readOne = preparedStatement<ConnectionRow & { state: ConnectionState }>(
  'read-connection',
  `select ${connectionColumns}, c.state from platform_connection c where c.id = $1 and c.account_id = $2`,
);

/** Throws if it does not exist: rows of connections are never deleted. */
export const readConnection = async (
  pool: Pool,
  { id, accountId }: Pick<DeliveryConnection, 'id' | 'accountId'>,
): Promise<DeliveryConnection> => {
  const [row] = await readOne(pool, [id, accountId]);
  if (!row) throw new Error(`connection ${id} does not exist`);
  return connectionOf(row);
};

type Encrypted = Pick<DeliveryConnection, 'id' | 'accountId' | 'platform' | 'encryptedCredentials'>;

/** Returns secrets: never print them. Throws an ActionRefused if no key decrypts them. */
export const decryptConnection = (connection: Encrypted, secretsKeys: SecretsKeys): unknown => {
  const { id, platform, encryptedCredentials } = connection;
  try {
    return decryptCredentials(connectionKeys(secretsKeys, platform), connection, encryptedCredentials);
  } catch {
    throw new ActionRefused(
      'invalid',
      `cannot decrypt connection ${id}: its key is not in SECRETS_KEY. Restore the key, or run \`connection change ${id}\` with all credentials.`,
    );
  }
};

const read = statement<{ credentials: Buffer; readAt: string }>(
  `select credentials, clock_timestamp()::text as "readAt" from platform_connection
   where id = $1 and account_id = $2 and credentials_entered_at = $3::timestamptz`,
);

// A change of other settings or a resume leaves the credentials as they are, so what replaces them is kept.
// The version does not grow with it: a renewal changes nothing that an operator has entered. What was renewed with
// credentials that were read later is newer.
const keep = statement(
  `update platform_connection set credentials = $4, credentials_renewed_at = $5::timestamptz
   where id = $1 and account_id = $2 and credentials_entered_at = $3::timestamptz
     and (credentials_renewed_at is null or credentials_renewed_at < $5::timestamptz)`,
);

/**
 * The credentials of a connection as they are stored now, for a platform that renews them. What it issues instead is
 * stored unless somebody has entered others since it was opened, or another app has stored newer ones.
 */
export const storedCredentials = (
  on: Queryable,
  secretsKeys: SecretsKeys,
  {
    id,
    accountId,
    platform,
    credentialsEnteredAt,
  }: Pick<DeliveryConnection, 'id' | 'accountId' | 'platform' | 'credentialsEnteredAt'>,
): StoredCredentials => {
  const keys = connectionKeys(secretsKeys, platform);
  return {
    connectionId: id,
    async read() {
      const [found] = await read(on, [id, accountId, credentialsEnteredAt]);
      return (
        found && {
          credentials: decryptCredentials(keys, { id, accountId }, found.credentials),
          async keep(renewed) {
            const encrypted = encryptCredentials(keys, { id, accountId }, renewed);
            await keep(on, [id, accountId, credentialsEnteredAt, encrypted, found.readAt]);
          },
        }
      );
    },
  };
};

export interface OpeningTools {
  readonly platforms: Platforms;
  readonly secretsKeys: SecretsKeys;
  /** Where the credentials are that a platform renews. Undefined: they are not stored. */
  readonly pool?: Queryable | undefined;
}

/** Opens a connection with its stored settings and credentials. Throws if they are invalid or cannot be decrypted. */
export const openConnection = (
  { platforms, secretsKeys, pool }: OpeningTools,
  connection: DeliveryConnection,
  mode: SendingMode,
): PlatformAccess => {
  const { platform, settings, eventNames } = connection;
  const credentials = decryptConnection(connection, secretsKeys);
  const stored = pool && storedCredentials(pool, secretsKeys, connection);
  return platforms[platform].access(settings, credentials, mode, eventNames, stored);
};
