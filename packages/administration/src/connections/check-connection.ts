import type { EntityManager, PlatformConnection } from '@leadback/db';
import type { Answer } from '@leadback/platforms';
import { readConnection } from './connection-content.ts';
import { readEvents } from './connection-events.ts';
import type { ConnectionTools } from './connection-tools.ts';
import type { TypedConnection } from './create-connection.ts';
import { decryptConnection } from './decrypt-connection.ts';
import { findConnection, type WantedConnection } from './find-connection.ts';

interface CheckedConnection extends Answer {
  readonly connection: PlatformConnection;
}

/**
 * Sends a test event over a connection, which does not count as a conversion; a platform without tests gets a live event
 * that matches nobody. Changes nothing.
 */
export const checkConnection = async (
  em: EntityManager,
  { platforms, secretsKeys }: Pick<ConnectionTools, 'platforms' | 'secretsKeys'>,
  wanted: WantedConnection,
): Promise<CheckedConnection> => {
  const connection = await findConnection(em, wanted);
  const credentials = decryptConnection(connection, secretsKeys);
  const access = platforms[connection.platform].access(connection.settings, credentials, 'live');
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
