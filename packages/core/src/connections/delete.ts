import { type Pool, statement, transaction } from '@leadback/db';
import { connectionDeleted, webhookName } from '@leadback/domain';
import { audit } from '../audit.ts';
import { endWaiting } from '../delivery/end-waiting.ts';
import { ActionRefused } from '../people/access.ts';
import type { ConnectionTools } from './connections.ts';
import { emptyConnection, lockConnection, type WantedConnection } from './store.ts';

const countWaiting = statement<{ waiting: number }>(
  `select coalesce(sum(cardinality(delivery_ids)), 0)::int as waiting from delivery_due
   where connection_id = $1 and account_id = $2`,
);

const requestsMax = 1_000;

// nobody asks for their status any more, and retention keeps those that are open
const closeRequests = statement(
  `update platform_request set check_at = null
   where id = any(array(
     select r.id from platform_connection c
     cross join lateral (
       select id from platform_request
       where connection_id = c.id and account_id = c.account_id and check_at is not null limit ${requestsMax}) r
     where c.deleted_at is not null limit ${requestsMax}))`,
);

const endAllWaiting = endWaiting({
  connections: `(select id, account_id from platform_connection
      where deleted_at is not null and platform <> '${webhookName}') c`,
  reason: connectionDeleted,
});

/**
 * Ends a part of what waits for deleted connections: what waited when they were deleted, and what a transaction
 * has enqueued that began before. Returns whether there may be more. A worker does this again and again, so that a deletion
 * that is killed goes on.
 */
export const endDeliveriesOfDeleted = async (pool: Pool): Promise<boolean> => {
  const { parcels, hasMore } = await endAllWaiting(pool);
  if (parcels > 0) return hasMore;
  await closeRequests(pool, []);
  return false;
};

interface Deletion extends WantedConnection {
  readonly actor: string;
  /** Ends what waits; without it, a connection for which deliveries wait is not deleted. */
  readonly isDiscarding: boolean;
}

/**
 * Deletes a connection to a platform: nothing more is told over it, its credentials are gone, and its destination is free
 * for another one. Its row stays, so that the history names it. Returns how many deliveries waited, which workers end.
 */
export const deleteConnection = (
  pool: Pool,
  { secretsKeys }: Pick<ConnectionTools, 'secretsKeys'>,
  { actor, isDiscarding, ...wanted }: Deletion,
): Promise<number> =>
  transaction(pool, async (tx) => {
    const connection = await lockConnection(tx, wanted);
    const { id, accountId, platform, label, destination } = connection;
    if (platform === webhookName) {
      throw new ActionRefused(
        'invalid',
        `connection ${id} is a webhook, which its partner deletes: DELETE /api/v1/webhook/${id}`,
      );
    }
    const [{ waiting } = { waiting: 0 }] = await countWaiting(tx, [id, accountId]);
    if (waiting > 0 && !isDiscarding) {
      throw new ActionRefused(
        'conflict',
        `${waiting} ${waiting === 1 ? 'delivery waits' : 'deliveries wait'} for connection ${id}: \`connection resume ${id}\` sends what waits; with --discard it is skipped, and the platform is never told`,
      );
    }
    await emptyConnection(tx, secretsKeys, connection);
    const details = { platform, label, destination, discarded: waiting };
    await audit(tx, { actor, action: 'connection.delete', accountId, target: `connection ${id}`, details });
    return waiting;
  });
