import type { EntityManager } from '../database.ts';
import { PlatformConnection } from '../entities/platform-connection.ts';
import { isParkable } from './claimed-feedback.ts';
import { updateInBatches } from './update-in-batches.ts';

const rowsMax = 1_000;

/**
 * Pauses a connection and lets everything pending of it wait until it is resumed. Gives how much was parked now;
 * undefined where there is no such connection. A worker that has a row in hand still sends it.
 *
 * The switch alone keeps everything claimed later from being sent: a claim of an inactive connection parks. So the rows
 * may follow in statements of their own. Each takes the connection's share lock, as park-feedback.ts does, and finds
 * nothing to park once somebody has resumed it; rows that a worker is settling are left to the next claim.
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
