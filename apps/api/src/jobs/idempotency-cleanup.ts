import type { Database } from '@leadback/db';
import { deleteExpiredResponses } from '@leadback/intake';
import { repeat } from '@leadback/runtime';
import type { ApiEvents } from '../events.ts';

const everyMs = 60_000;
// small batches, so that they block no request
const rowsMax = 1_000;

/** Deletes expired idempotent responses. Every instance of the API runs one. */
export const idempotencyCleanup = (pool: Database['pool'], events: ApiEvents): AsyncDisposable =>
  repeat({
    everyMs,
    round: async () => (await deleteExpiredResponses(pool, rowsMax)) === rowsMax,
    onFailure: events.cleanupFailed,
  });
