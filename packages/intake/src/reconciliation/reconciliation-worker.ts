import { inTransaction, type Pool, type PoolClient, preparedStatement } from '@leadback/db';
import type { AccountMode } from '@leadback/domain';
import { compareSlice, walkSlice } from './compare-slice.ts';
import { type OpenReconciliation, saveWorkedOff, takeReconciliation } from './open-work.ts';
import { type ReplayedSlice, replaySlice } from './replay-slice.ts';

/** A slice that was worked off. */
export interface WorkedSlice {
  readonly id: number;
  readonly mode: AccountMode;
  /** What it was. */
  readonly step: OpenReconciliation['step'];
  /** Whether nothing is left to do. */
  readonly isDone: boolean;
}

/**
 * Works off a slice, of the given reconciliation or of the one that has waited longest, in one transaction. Returns
 * undefined if there is none or others work on it. Concurrent calls take different ones.
 */
export type ReconciliationWorker = (id?: number) => Promise<WorkedSlice | undefined>;

export interface ReconciliationWorkerOptions {
  /** Called after each commit that registered conversions. Must not throw. */
  readonly onRegistered: (mode: AccountMode, registered: NonNullable<ReplayedSlice['registered']>) => void;
}

const workOff = async (on: PoolClient, work: OpenReconciliation): Promise<ReplayedSlice> => {
  switch (work.step) {
    case 'compare':
      return { slice: await compareSlice(on, work) };
    case 'extra':
      return { slice: await walkSlice(on, work) };
    case 'replay':
      return replaySlice(on, work);
  }
};

// one that fails waits behind the others before it is tried again
const putBack = preparedStatement(
  'put-reconciliation-back',
  'update reconciliation set worked_at = clock_timestamp() where id = $1',
);

export const reconciliationWorker =
  (pool: Pool, { onRegistered }: ReconciliationWorkerOptions): ReconciliationWorker =>
  async (id) => {
    let taken: OpenReconciliation | undefined;
    try {
      const worked = await inTransaction(pool, async (on) => {
        taken = await takeReconciliation(on, id);
        if (!taken) return undefined;
        const { slice, registered } = await workOff(on, taken);
        await saveWorkedOff(on, taken, slice);
        return { taken, registered, isDone: slice.step === null };
      });
      if (!worked) return undefined;
      const { mode, step } = worked.taken;
      if (worked.registered) onRegistered(mode, worked.registered);
      return { id: worked.taken.id, mode, step, isDone: worked.isDone };
    } catch (error) {
      if (taken) await putBack(pool, [taken.id]).catch(() => {});
      throw error;
    }
  };
