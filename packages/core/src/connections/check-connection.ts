import type { EntityManager, PlatformConnection, Pool } from '@leadback/db';
import { connectionKeys } from '@leadback/domain/keys';
import type { Answer, Platform } from '@leadback/platforms';
import { storedCredentials } from '../delivery/renewed-credentials.ts';
import {
  readConnection,
  readEvents,
  type ConnectionTools,
  type TypedConnection,
  decryptConnection,
  findConnection,
  type WantedConnection,
} from './connections.ts';

interface CheckedConnection extends Answer {
  readonly connection: PlatformConnection;
}

/**
 * Sends a test event over a connection, which does not count as a conversion; a platform without tests gets a live event
 * that matches nobody. Changes nothing, but stores the credentials that the platform issues instead.
 */
export const checkConnection = async (
  em: EntityManager,
  { platforms, secretsKeys, pool }: Pick<ConnectionTools, 'platforms' | 'secretsKeys'> & { readonly pool: Pool },
  wanted: WantedConnection,
): Promise<CheckedConnection> => {
  const connection = await findConnection(em, wanted);
  const credentials = decryptConnection(connection, secretsKeys);
  const { id, account, version, platform, settings } = connection;
  const stored = storedCredentials(pool, connectionKeys(secretsKeys)(platform), { id, accountId: account.id, version });
  const access = platforms[platform].access(settings, credentials, 'live', {}, stored);
  return { connection, ...(await access.check()) };
};

/** The same for a connection that is typed and not stored. Throws a ZodError that names every value that is wrong. */
export const checkTypedConnection = (
  { platforms, words }: Pick<ConnectionTools, 'platforms' | 'words'>,
  { platform, content, told }: TypedConnection,
): Promise<Answer> => {
  const { settings, credentials } = readConnection(platforms[platform], words, content);
  readEvents(platforms[platform], words, settings, told);
  return platforms[platform].access(settings, credentials, 'live').check();
};

/** What it means if a check is rejected for this reason, in full sentences; null: nothing in particular. */
export const rejectedCheck = ({ rejectedChecks = {} }: Platform['codes'], reason: string): string | null => {
  const code = /^\w+(?=:)/.exec(reason)?.[0] ?? '';
  return Object.hasOwn(rejectedChecks, code) ? (rejectedChecks[code] ?? null) : null;
};
