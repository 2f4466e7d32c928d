import { type Pool, statement, transaction } from '@leadback/db';
import { connectionDeleted, webhookName } from '@leadback/domain';
import { audit } from '../audit.ts';
import { closedDeliveries, sentToWebhooks } from '../delivery/webhook-deliveries.ts';
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

const parcelsMax = 20;

// Parcels are locked before deliveries, here as in every statement. A worker that has claimed one finds it gone, and saves
// nothing of it, except that the platform accepted an event: then its delivery is delivered.
const endWaiting = statement<{ parcels: number; deliveries: number }>(
  `with parcel as (
     select d.id from platform_connection c
     cross join lateral (
       select id from delivery_due where connection_id = c.id and account_id = c.account_id
       order by not_before limit ${parcelsMax} for update skip locked) d
     where c.deleted_at is not null and c.platform <> '${webhookName}' limit ${parcelsMax}
   ), gone as (
     delete from delivery_due where id = any(array(select id from parcel)) returning id, delivery_ids
   ), ended as (
     update delivery f set state = 'skipped', reason = '${connectionDeleted}', match_keys = null, closed_at = now(), parcel_id = null
     where f.id = any(array(select unnest(delivery_ids) from gone)) and f.parcel_id = any(array(select id from gone))
       and f.state = 'pending'
     returning f.id, f.account_id, f.connection_id, f.state, f.reason, f.is_test, f.conversion_id, f.client_id,
               f.adjustment_id, f.webhook_event_id
   ), ${sentToWebhooks('select account_id from ended', closedDeliveries('ended'))}
   select (select count(*)::int from gone) as parcels, (select count(*)::int from ended) as deliveries`,
);

/**
 * Transition 13. Ends a part of what waits for deleted connections: what waited when they were deleted, and what a transaction
 * has enqueued that began before. Returns whether there may be more. A worker does this again and again, so that a deletion
 * that is killed goes on.
 */
export const endDeliveriesOfDeleted = async (pool: Pool): Promise<boolean> => {
  const [ended] = await endWaiting(pool, []);
  if (ended && ended.parcels > 0) return ended.parcels === parcelsMax;
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
