import type { ContactCipher, Pool, PoolClient } from '@leadback/db';
import type { AccountMode } from '@leadback/domain';
import { failureOf, workOnNext } from '../work-queue.ts';
import { compareSlice, walkSlice } from './compare.ts';
import { type OpenReconciliation, saveWorkedOff, takeReconciliation } from './state.ts';
import { type ReplayedSlice, replaySlice } from './replay.ts';

/** A slice that was worked off. */
export interface WorkedSlice {
  readonly id: number;
  readonly mode: AccountMode;
  /** What it was. */
  readonly step: OpenReconciliation['step'];
  /** Whether nothing is left to do. */
  readonly isDone: boolean;
  /** What it registered, to be counted and announced. */
  readonly registered?: ReplayedSlice['registered'];
  /** Why the work was given up, if it was: this was the last of several failures. */
  readonly error?: unknown;
}

const workOff = async (on: PoolClient, contacts: ContactCipher, work: OpenReconciliation): Promise<ReplayedSlice> => {
  switch (work.step) {
    case 'compare':
      return { slice: await compareSlice(on, work) };
    case 'extra':
      return { slice: await walkSlice(on, work) };
    case 'replay':
      return replaySlice(on, contacts, work);
  }
};

const noteFailure = failureOf({
  table: 'reconciliation',
  isOpen: `step <> 'receive'`,
  // within about four minutes
  triesMax: 10,
  pauseMaxSeconds: 60,
  givenUp: {
    step: 'null',
    is_failed: `is_failed or step <> 'replay'`,
    replay: `case when step = 'replay' then replay || '{"hasFailed": true}' else replay end`,
    finished_at: 'coalesce(finished_at, now())',
  },
  announcedAs: 'reconciliation',
});

/**
 * Works off a slice, of the given reconciliation or of the one that has waited longest, in one transaction. Undefined if
 * there is none, or others work on it, or it waits after a failure. Concurrent calls take different ones. Throws if the
 * slice failed and will be tried again.
 */
export const workOnNextReconciliation = async (
  pool: Pool,
  contacts: ContactCipher,
  id?: number,
): Promise<WorkedSlice | undefined> => {
  const worked = await workOnNext(pool, {
    take: (on) => takeReconciliation(on, id),
    async work(on, taken) {
      const { slice, registered } = await workOff(on, contacts, taken);
      await saveWorkedOff(on, taken, slice);
      return { registered, isDone: slice.step === null };
    },
    noteFailure,
  });
  if (!worked) return undefined;
  const { id: takenId, mode, step } = worked.row;
  const about = { id: takenId, mode, step };
  if ('result' in worked) return { ...about, ...worked.result };
  if (!worked.isGivenUp) throw worked.error;
  return { ...about, isDone: true, error: worked.error };
};
