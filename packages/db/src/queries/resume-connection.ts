import { raw } from '@mikro-orm/core';
import type { EntityManager } from '../database.ts';
import { PlatformConnection } from '../entities/platform-connection.ts';
import { updateInBatches } from './update-in-batches.ts';

const rowsMax = 1_000;

/**
 * Makes a connection active again and everything that waited for it due, with all its time for retries before it. Gives
 * how much that was; undefined where there is no such connection. Where it was cut off, a second call does the rest.
 *
 * First the connection, then its feedback: parking takes them in the same order, so that whatever was parked while we
 * waited for the connection's lock is seen by the statements that follow, and they end where it is paused again. They
 * run by themselves, so that neither a lock nor a statement lasts as long as a backlog is large. Rows are locked in the
 * order of their ids, as settling does: neither waits for the other crosswise.
 */
export const resumeConnection = async (em: EntityManager, id: number): Promise<number | undefined> => {
  // by which close-platform-request.ts knows what a platform has said of the time before
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
