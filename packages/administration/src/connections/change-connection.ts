import type { EntityManager, PlatformConnection } from '@leadback/db';
import { webhookName } from '@leadback/domain';
import { ActionRefused, audit } from '@leadback/people';
import type { PlatformDescriptor } from '@leadback/platforms';
import { credentialsKeys, encryptCredentials, type SecretsKeys } from '@leadback/secrets';
import { LockMode } from '@mikro-orm/core';
import { type ConnectionContent, contentOf, readConnection } from './connection-content.ts';
import { readEvents, type TypedEvents } from './connection-events.ts';
import type { ConnectionTools } from './connection-tools.ts';
import { decryptConnection } from './decrypt-connection.ts';
import { describedChange } from './described-change.ts';
import { editionOf } from './edition.ts';
import { findConnection, type WantedConnection } from './find-connection.ts';

interface ConnectionChange extends WantedConnection {
  readonly actor: string;
  /** Settings and credentials; an empty text removes a value. What is not named stays. */
  readonly content: ConnectionContent;
  readonly told: TypedEvents;
  /** The edition that was changed; undefined: whichever there is. */
  readonly edition?: string | undefined;
}

/** Empty if the stored credentials cannot be decrypted but all of them were typed. */
const storedCredentials = (
  connection: PlatformConnection,
  { credentialsSchema }: PlatformDescriptor,
  typed: ConnectionContent,
  keys: SecretsKeys,
): unknown => {
  try {
    return decryptConnection(connection, keys);
  } catch (error) {
    if (!credentialsSchema.safeParse(typed).success) throw error;
    return {};
  }
};

const changedByPartner = (id: number) =>
  `connection ${id} is a webhook, which its partner changes: PATCH /api/v1/webhook/${id}`;

/**
 * Changes settings, credentials and events of a connection; its state stays. Throws a ZodError that names every value that
 * is wrong, and an ActionRefused if somebody else has changed it since `edition`.
 */
export const changeConnection = (
  em: EntityManager,
  { platforms, secretsKeys, words }: ConnectionTools,
  { actor, id, scope, content, told, edition }: ConnectionChange,
): Promise<PlatformConnection> =>
  em.transactional(async (tx) => {
    const connection = await findConnection(tx, { id, scope });
    // the second of two concurrent changes starts from the result of the first
    await tx.lock(connection, LockMode.PESSIMISTIC_WRITE);
    await tx.refresh(connection);
    if (connection.platform === webhookName) throw new ActionRefused('invalid', changedByPartner(id));
    if (edition !== undefined && edition !== editionOf(connection)) {
      throw new ActionRefused('conflict', `connection ${id} was changed in the meantime`);
    }
    const platform = platforms[connection.platform];
    const { eventKinds, eventNames } = connection;
    const before = {
      settings: contentOf(connection.settings),
      credentials: contentOf(storedCredentials(connection, platform, content, secretsKeys)),
      eventKinds,
      eventNames,
    };
    const stored = { ...before.settings, ...before.credentials };
    const { settings, credentials } = readConnection(platform, words, content, stored);
    const after = { settings, credentials, ...readEvents(platform, words, settings, told, before) };
    const accountId = connection.account.id;
    Object.assign(connection, {
      settings,
      eventKinds: after.eventKinds,
      eventNames: after.eventNames,
      credentials: encryptCredentials(credentialsKeys(secretsKeys), { id, accountId }, credentials),
    });
    const details = describedChange(before, after);
    await audit(tx, { actor, action: 'connection.change', accountId, target: `connection ${id}`, details });
    return connection;
  });
