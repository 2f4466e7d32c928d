import type { Database } from '@leadback/db';
import { deleteEndedSessions } from '@leadback/people';
import { repeat } from '@leadback/runtime';
import type { ConsoleEvents } from './events.ts';

const everyMs = 600_000;
const rowsMax = 1_000;

/** Deletes sessions that have ended. Every instance of the console runs one. */
export const sessionCleanup = (pool: Database['pool'], events: Pick<ConsoleEvents, 'cleanupFailed'>): AsyncDisposable =>
  repeat({
    everyMs,
    round: async () => (await deleteEndedSessions(pool, rowsMax)) === rowsMax,
    onFailure: events.cleanupFailed,
  });
