import type { EntityManager } from '@leadback/db';
import { z } from 'zod';

const switchedSchema = z.array(z.object({ waiting: z.coerce.number() }));

const returningWaiting = `returning (
  select coalesce(sum(cardinality(d.feedback_ids)), 0)::int from feedback_due d
  where d.connection_id = platform_connection.id and d.account_id = platform_connection.account_id) as waiting`;

/**
 * Pauses a connection: its deliveries wait, because only parcels of active connections are claimed.
 * Returns how many wait; undefined if there is no such connection. Deliveries that a worker has claimed are still sent.
 */
export const pauseConnection = async (em: EntityManager, id: number): Promise<number | undefined> => {
  const rows = await em.execute(
    `update platform_connection set state = 'paused', state_reason = null where id = ? ${returningWaiting}`,
    [id],
  );
  return switchedSchema.parse(rows)[0]?.waiting;
};

/**
 * Makes a connection active again; deliveries that waited for it have the full time for retries from now
 * on. Returns how many; undefined if there is no such connection. Rejections of requests made before count no more.
 */
export const resumeConnection = async (em: EntityManager, id: number): Promise<number | undefined> => {
  const rows = await em.execute(
    `update platform_connection set state = 'active', state_reason = null, resumed_at = now()
     where id = ? ${returningWaiting}`,
    [id],
  );
  return switchedSchema.parse(rows)[0]?.waiting;
};
