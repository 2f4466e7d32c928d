import { type EntityManager, PlatformConnection } from '@leadback/db';
import type { AccountId, PlatformName } from '@leadback/domain';
import { audit } from '@leadback/people';
import { credentialsKeys, encryptCredentials } from '@leadback/secrets';
import { z } from 'zod';
import { findAccount } from '../find-account.ts';
import { type ConnectionContent, readConnection } from './connection-content.ts';
import { readEvents, type TypedEvents } from './connection-events.ts';
import type { ConnectionTools } from './connection-tools.ts';

/** What is typed for a connection that does not exist yet. */
export interface TypedConnection {
  readonly platform: PlatformName;
  readonly content: ConnectionContent;
  readonly told: TypedEvents;
}

interface NewConnection extends TypedConnection {
  readonly actor: string;
  readonly accountId: AccountId;
}

const nextId = z.tuple([z.object({ id: z.coerce.number() })]);

/**
 * Connects an account to a platform: new conversions are reported there. Throws a ZodError that names every value that is
 * missing or wrong.
 */
export const createConnection = (
  em: EntityManager,
  { platforms, secretsKeys, words }: ConnectionTools,
  { actor, accountId, platform, content, told }: NewConnection,
): Promise<PlatformConnection> => {
  const { settings, credentials } = readConnection(platforms[platform], words, content);
  const { eventKinds, eventNames } = readEvents(platforms[platform], words, settings, told);
  return em.transactional(async (tx) => {
    const account = await findAccount(tx, accountId);
    // the encryption of the credentials is bound to the id, so it is drawn first
    const [{ id }] = nextId.parse(await tx.execute(`select nextval('platform_connection_id_seq') as id`));
    const connection = tx.create(PlatformConnection, {
      id,
      account,
      platform,
      settings,
      eventKinds,
      eventNames,
      credentials: encryptCredentials(credentialsKeys(secretsKeys), { accountId, id }, credentials),
    });
    await tx.flush();
    await audit(tx, {
      actor,
      action: 'connection.create',
      accountId,
      target: `connection ${id}`,
      details: { platform },
    });
    return connection;
  });
};
