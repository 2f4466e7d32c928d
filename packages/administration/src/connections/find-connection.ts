import { type EntityManager, PlatformConnection } from '@leadback/db';
import { webhookName } from '@leadback/domain';
import { type AccountScope, ActionRefused } from '@leadback/people';

/** Which connection. */
export interface WantedConnection {
  readonly id: number;
  /** Only a connection of this account to a platform; undefined: of any account, also a webhook. */
  readonly scope?: AccountScope | undefined;
}

/** Throws an ActionRefused if there is none. */
export const findConnection = async (
  em: EntityManager,
  { id, scope }: WantedConnection,
): Promise<PlatformConnection> => {
  const connection = await em.findOne(
    PlatformConnection,
    scope ? { id, account: scope.accountId, platform: { $ne: webhookName } } : { id },
  );
  if (!connection) throw new ActionRefused('not-found', `there is no connection ${id}`);
  return connection;
};
