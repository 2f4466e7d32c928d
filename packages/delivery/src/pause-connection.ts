import { type EntityManager, PlatformConnection } from '@leadback/db';
import { isParkable } from './claimed-feedback.ts';
import { updateInBatches } from './update-in-batches.ts';

const rowsMax = 1_000;

/**
 * Pauses a connection and parks its pending rows until it is resumed. Returns how many rows were parked; undefined if
 * there is no such connection. Rows that a worker has claimed are still sent.
 *
 * The new state alone stops later claims, because a claim of an inactive connection parks. The rows may therefore be
 * parked by separate statements. Each takes the connection's share lock, as park-feedback.ts does, and finds nothing to
 * park after a resume; rows that a worker is settling are left to the next claim.
 */
export const pauseConnection = async (em: EntityManager, id: number): Promise<number | undefined> => {
  const paused = await em.nativeUpdate(PlatformConnection, { id }, { state: 'paused', stateReason: null });
  if (paused === 0) return undefined;
  return updateInBatches(
    em,
    `with paused as (
       select id from platform_connection where id = ? and state <> 'active' for share
     ), waiting as (
       select id from feedback
       where connection_id = ? and ${isParkable} and exists (select from paused)
       order by due_at limit ? for update skip locked
     )
     update feedback f set held_until = 'infinity', due_at = 'infinity' from waiting where f.id = waiting.id`,
    [id, id, rowsMax],
  );
};
