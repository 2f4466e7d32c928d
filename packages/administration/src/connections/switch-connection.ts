import type { ConnectionState } from '@leadback/domain';
import type { EntityManager } from '@leadback/db';
import { pauseConnection as pause, resumeConnection as resume } from '@leadback/delivery';
import { ActionRefused, audit } from '@leadback/people';
import { LockMode } from '@mikro-orm/core';
import { findConnection, type WantedConnection } from './find-connection.ts';

interface Switch extends WantedConnection {
  readonly actor: string;
}

const switching =
  (verb: 'pause' | 'resume', after: ConnectionState, change: typeof pause) =>
  (em: EntityManager, { actor, ...wanted }: Switch): Promise<number> =>
    em.transactional(async (tx) => {
      const connection = await findConnection(tx, wanted);
      await tx.lock(connection, LockMode.PESSIMISTIC_WRITE);
      await tx.refresh(connection);
      const { id, account, state: before } = connection;
      const details = { state: { before, after } };
      await audit(tx, {
        actor,
        action: `connection.${verb}`,
        accountId: account.id,
        target: `connection ${id}`,
        details,
      });
      const waiting = await change(tx, id);
      // a webhook that was deleted
      if (waiting === undefined) throw new ActionRefused('not-found', `there is no connection ${id}`);
      return waiting;
    });

/**
 * Stops sending over a connection: pending deliveries wait, and conversions registered meanwhile are never reported over
 * it. Returns how many wait.
 */
export const pauseConnection = switching('pause', 'paused', pause);

/** Sends over a connection again, also what waited for it. Returns how many. */
export const resumeConnection = switching('resume', 'active', resume);
