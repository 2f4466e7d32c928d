import type { Database } from '@leadback/db';
import { deleteCutOffList, type ReconciliationWorker } from '@leadback/intake';
import { repeat } from '@leadback/runtime';
import type { ApiEvents } from '../events.ts';

const everyMs = 500;

const cleanupEveryMs = 60_000;

/** Deletes lists whose upload was cut off. Every instance of the API runs one. */
export const cutOffListCleanup = (
  pool: Database['pool'],
  events: Pick<ApiEvents, 'reconciliationFailed'>,
): AsyncDisposable =>
  repeat({
    everyMs: cleanupEveryMs,
    round: () => deleteCutOffList(pool),
    onFailure: events.reconciliationFailed,
  });

/** Works off lists that are compared and missing conversions that are registered. Every instance of the API runs one. */
export const reconciliationJob = (
  work: ReconciliationWorker,
  events: Pick<ApiEvents, 'reconciliationFailed'>,
): AsyncDisposable =>
  repeat({
    everyMs,
    round: async () => (await work()) !== undefined,
    onFailure: events.reconciliationFailed,
  });
