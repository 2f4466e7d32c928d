import { raw } from '@mikro-orm/core';
import { type EntityManager, PlatformConnection } from '@leadback/db';
import { updateInBatches } from './update-in-batches.ts';

const rowsMax = 1_000;

/**
 * Makes a connection active again and its parked rows due, with the full time for retries. Returns how many rows;
 * undefined if there is no such connection. If it is interrupted, a second call does the rest.
 *
 * The connection is updated before its feedback, in the same order as parking: the statements that follow find rows that
 * were parked while this one waited for the connection's lock, and they stop if it is paused again. Each statement
 * commits by itself, so that locks are short however large the backlog is. Rows are locked in the order of their ids, as
 * settling does, so that the two cannot deadlock.
 */
export const resumeConnection = async (em: EntityManager, id: number): Promise<number | undefined> => {
  // resumedAt: close-platform-request.ts ignores rejections of requests made before
  const changes = { state: 'active', stateReason: null, resumedAt: raw('now()') } as const;
  const resumed = await em.nativeUpdate(PlatformConnection, { id }, changes);
  if (resumed === 0) return undefined;
  return updateInBatches(
    em,
    `with active as (
       select id from platform_connection where id = ? and state = 'active' for share
     ), batch as materialized (
       select id from feedback
       where connection_id = ? and state = 'pending' and due_at = 'infinity' and exists (select from active) limit ?
     ), parked as (
       select f.id from feedback f join batch on batch.id = f.id
       where f.state = 'pending' and f.due_at = 'infinity' order by f.id for update of f
     )
     update feedback f set held_until = now(), due_at = now(), retried_since = now()
     from parked where f.id = parked.id`,
    [id, id, rowsMax],
  );
};
