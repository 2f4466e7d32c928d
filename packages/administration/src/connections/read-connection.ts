import type { EntityManager, PlatformConnection } from '@leadback/db';
import { type ConnectionContent, contentOf } from './connection-content.ts';
import type { ConnectionTools } from './connection-tools.ts';
import { decryptConnection } from './decrypt-connection.ts';
import { editionOf } from './edition.ts';
import { findConnection, type WantedConnection } from './find-connection.ts';
import { ActionRefused } from '@leadback/people';

interface ReadConnection {
  readonly connection: PlatformConnection;
  readonly settings: ConnectionContent;
  /** The names of the credentials that are set; undefined if they cannot be decrypted. */
  readonly credentials: readonly string[] | undefined;
  /** For a change: see `changeConnection`. */
  readonly edition: string;
}

const namesOfCredentials = (connection: PlatformConnection, keys: ConnectionTools['secretsKeys']) => {
  try {
    return Object.keys(contentOf(decryptConnection(connection, keys)));
  } catch (error) {
    if (error instanceof ActionRefused) return undefined;
    throw error;
  }
};

/** What is set of a connection: everything but the values of its credentials. */
export const readConnectionContent = async (
  em: EntityManager,
  { secretsKeys }: Pick<ConnectionTools, 'secretsKeys'>,
  wanted: WantedConnection,
): Promise<ReadConnection> => {
  const connection = await findConnection(em, wanted);
  return {
    connection,
    settings: contentOf(connection.settings),
    credentials: namesOfCredentials(connection, secretsKeys),
    edition: editionOf(connection),
  };
};
