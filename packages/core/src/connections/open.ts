import { type Queryable, statement } from '@leadback/db';
import { connectionKeys, decryptCredentials, encryptCredentials, type SecretsKeys } from '@leadback/domain/keys';
import type { Answer, Platform, PlatformAccess, Platforms, SendingMode, StoredCredentials } from '@leadback/platforms';
import type { DeliveryConnection } from '../delivery/connections.ts';
import { ActionRefused } from '../people/access.ts';
import { type FieldWords, parseContent, parseEvents, type TypedConnection } from './content.ts';
import { findConnection, type StoredConnection, type WantedConnection } from './store.ts';

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
   where id = $1 and account_id = $2 and version = $3`,
);

// The version does not grow with it: a renewal changes nothing that an operator has entered. What was renewed with
// credentials that were read later is newer.
const keep = statement(
  `update platform_connection set credentials = $4, credentials_renewed_at = $5::timestamptz
   where id = $1 and account_id = $2 and version = $3
     and (credentials_renewed_at is null or credentials_renewed_at < $5::timestamptz)`,
);

/**
 * The credentials of a connection as they are stored now, for a platform that renews them. What it issues instead is
 * stored unless somebody has changed the connection since it was opened, or another app has stored newer ones.
 */
export const storedCredentials = (
  on: Queryable,
  secretsKeys: SecretsKeys,
  { id, accountId, version, platform }: Pick<DeliveryConnection, 'id' | 'accountId' | 'version' | 'platform'>,
): StoredCredentials => {
  const keys = connectionKeys(secretsKeys, platform);
  return {
    connectionId: id,
    async read() {
      const [found] = await read(on, [id, accountId, version]);
      return (
        found && {
          credentials: decryptCredentials(keys, { id, accountId }, found.credentials),
          async keep(renewed) {
            const encrypted = encryptCredentials(keys, { id, accountId }, renewed);
            await keep(on, [id, accountId, version, encrypted, found.readAt]);
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

interface CheckedConnection extends Answer {
  readonly connection: StoredConnection;
}

/**
 * Sends a test event over a connection, which does not count as a conversion; a platform without tests gets a live event
 * that matches nobody. Changes nothing, but stores the credentials that the platform issues instead.
 */
export const checkConnection = async (
  on: Queryable,
  tools: Pick<OpeningTools, 'platforms' | 'secretsKeys'>,
  wanted: WantedConnection,
): Promise<CheckedConnection> => {
  const connection = await findConnection(on, wanted);
  // whatever its partner calls events
  const access = openConnection({ ...tools, pool: on }, { ...connection, eventNames: {} }, 'live');
  return { connection, ...(await access.check()) };
};

/** The same for a connection that is typed and not stored. Throws a ZodError that names every value that is wrong. */
export const checkTypedConnection = (
  { platforms, words }: { readonly platforms: Platforms; readonly words: FieldWords },
  { platform, content, told }: TypedConnection,
): Promise<Answer> => {
  const { settings, credentials } = parseContent(platforms[platform], words, content);
  parseEvents(platforms[platform], words, settings, told);
  return platforms[platform].access(settings, credentials, 'live').check();
};

/** What it means if a check is rejected for this reason, in full sentences; null: nothing in particular. */
export const rejectedCheck = ({ rejectedChecks = {} }: Platform['codes'], reason: string): string | null => {
  const code = /^\w+(?=:)/.exec(reason)?.[0] ?? '';
  return Object.hasOwn(rejectedChecks, code) ? (rejectedChecks[code] ?? null) : null;
};
