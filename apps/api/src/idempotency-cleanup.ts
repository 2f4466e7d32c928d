import { type Database, deleteExpiredResponses } from '@leadback/db';
import { repeat } from '@leadback/runtime';
import type { ApiEvents } from './events.ts';

const everyMs = 60_000;
// small enough that nobody waits for it
const rowsMax = 1_000;

/** Deletes the answers that were kept for repeated requests and whose time is over. Every instance of the API runs one. */
export const idempotencyCleanup = (pool: Database['pool'], events: ApiEvents): AsyncDisposable =>
  repeat({
    everyMs,
    round: async () => (await deleteExpiredResponses(pool, rowsMax)) === rowsMax,
    onFailure: events.cleanupFailed,
  });
