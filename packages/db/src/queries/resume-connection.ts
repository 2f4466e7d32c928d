import type { EntityManager } from '../database.ts';
import { PlatformConnection } from '../entities/platform-connection.ts';

/**
 * Makes a connection active again and everything that waited for it due. Gives how much that was; undefined where there
 * is no such connection. First the connection, then its feedback: parking takes them in the same order, and whatever it
 * parked while we waited for the connection's lock is seen by the second statement.
 */
export const resumeConnection = (em: EntityManager, id: number): Promise<number | undefined> =>
  em.transactional(async (tx) => {
    const resumed = await tx.nativeUpdate(PlatformConnection, { id }, { state: 'active', stateReason: null });
    if (resumed === 0) return undefined;
    const { affectedRows } = await tx.execute<{ affectedRows: number }>(
      `update feedback set held_until = now(), due_at = now()
       where connection_id = ? and state = 'pending' and held_until = 'infinity'`,
      [id],
      'run',
    );
    return affectedRows;
  });
