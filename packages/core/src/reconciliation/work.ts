import { type Contacts, transaction, type Pool, type PoolClient, preparedStatement } from '@leadback/db';
import type { AccountMode } from '@leadback/domain';
import { toldOfFinished } from '../delivery/tell-webhooks.ts';
import { isCountedFailure, isLastTry, pauseAfterFailure } from '../turns.ts';
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
  /** Why the work was given up, if it was: this was the last of several failures. */
  readonly error?: unknown;
}

/**
 * Works off a slice, of the given reconciliation or of the one that has waited longest, in one transaction. Returns
 * undefined if there is none, or others work on it, or it waits after a failure. Concurrent calls take different ones.
 * Throws if the slice failed and will be tried again.
 */
export type ReconciliationWorker = (id?: number) => Promise<WorkedSlice | undefined>;

interface ReconciliationWorkerOptions {
  readonly contacts: Contacts;
  /** Called after each commit that registered conversions. Must not throw. */
  readonly onRegistered: (mode: AccountMode, registered: NonNullable<ReplayedSlice['registered']>) => void;
}

const workOff = async (on: PoolClient, work: OpenReconciliation, contacts: Contacts): Promise<ReplayedSlice> => {
  switch (work.step) {
    case 'compare':
      return { slice: await compareSlice(on, work) };
    case 'extra':
      return { slice: await walkSlice(on, work) };
    case 'replay':
      return replaySlice(on, work, contacts);
  }
};

// one that fails waits behind the others, and longer each time, before it is tried again; after the last time it ends
const putBack = preparedStatement<{ is_over: boolean }>(
  'put-reconciliation-back',
  `with before as materialized (
     select finished_at from reconciliation where id = $1 for update
   ), put as (
     update reconciliation r
     set failures = failures + case when $3 then 1 else 0 end,
         worked_at = clock_timestamp() + case when $3 then ${pauseAfterFailure} else interval '0' end,
         step = case when $3 and ${isLastTry} then null else step end,
         is_failed = is_failed or $3 and ${isLastTry} and step is distinct from 'replay',
         replay = case when $3 and ${isLastTry} and step = 'replay' then replay || '{"hasFailed": true}' else replay end,
         finished_at = case when $3 and ${isLastTry} then coalesce(before.finished_at, clock_timestamp())
                            else before.finished_at end
     from before
     where r.id = $1 and r.step is not distinct from $2
     returning r.id, r.account_id, r.is_test, r.counts, r.step is null as is_over,
               before.finished_at is null and r.finished_at is not null as is_finished
   ), finished as (
     select *, 'failed' as state from put where is_finished
   ), ${toldOfFinished('reconciliation')}
   select is_over from put`,
);

export const reconciliationWorker =
  (pool: Pool, { contacts, onRegistered }: ReconciliationWorkerOptions): ReconciliationWorker =>
  async (id) => {
    let taken: OpenReconciliation | undefined;
    try {
      const worked = await transaction(pool, async (on) => {
        taken = await takeReconciliation(on, id);
        if (!taken) return undefined;
        const { slice, registered } = await workOff(on, taken, contacts);
        await saveWorkedOff(on, taken, slice);
        return { taken, registered, isDone: slice.step === null };
      });
      if (!worked) return undefined;
      const { mode, step } = worked.taken;
      if (worked.registered) onRegistered(mode, worked.registered);
      return { id: worked.taken.id, mode, step, isDone: worked.isDone };
    } catch (error) {
      if (!taken) throw error;
      const { id: takenId, mode, step } = taken;
      const [put] = await putBack(pool, [takenId, step, isCountedFailure(error)]).catch(() => []);
      if (put?.is_over !== true) throw error;
      return { id: takenId, mode, step, isDone: true, error };
    }
  };
