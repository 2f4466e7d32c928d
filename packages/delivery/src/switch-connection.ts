import type { EntityManager } from '@leadback/db';
import { webhookDeleted } from '@leadback/domain';
import { z } from 'zod';
import { changedConnections, toldToWebhooks } from './tell-webhooks.ts';

const switchedSchema = z.array(z.object({ waiting: z.coerce.number() }));

const waitingOf = (connection: string) => `(
  select coalesce(sum(cardinality(d.feedback_ids)), 0)::int from feedback_due d
  where d.connection_id = ${connection}.id and d.account_id = ${connection}.account_id) as waiting`;

// a webhook that its partner deleted
const isNotDeleted = `and state_reason is distinct from '${webhookDeleted}'`;

/**
 * Pauses a connection: its deliveries wait, because only parcels of active connections are claimed.
 * Returns how many wait; undefined if there is no such connection. Deliveries that a worker has claimed are still sent.
 */
export const pauseConnection = async (em: EntityManager, id: number): Promise<number | undefined> => {
  const rows = await em.execute(
    `update platform_connection set state = 'paused', state_reason = null where id = ? ${isNotDeleted}
     returning ${waitingOf('platform_connection')}`,
    [id],
  );
  return switchedSchema.parse(rows)[0]?.waiting;
};

/**
 * Makes a connection active again; deliveries that waited for it have the full time for retries from now
 * on. Returns how many; undefined if there is no such connection. Rejections of requests made before count no more.
 * The account's webhooks are told of a connection that was not active.
 */
export const resumeConnection = async (em: EntityManager, id: number): Promise<number | undefined> => {
  const rows = await em.execute(
    `with before as materialized (
       select id, state from platform_connection where id = ? ${isNotDeleted} for no key update
     ), switched as (
       update platform_connection c set state = 'active', state_reason = null, resumed_at = now(),
         verify_at = case when c.verify_at is not null then now() end, verify_attempts = 0
       from before where c.id = before.id
       returning c.id, c.account_id, c.platform, c.state, c.state_reason, c.is_test, before.state as earlier_state
     ), ${toldToWebhooks(
       'select account_id from switched',
       changedConnections(`switched where earlier_state <> 'active'`, 'connection.recovered'),
     )} select ${waitingOf('switched')} from switched`,
    [id],
  );
  return switchedSchema.parse(rows)[0]?.waiting;
};
