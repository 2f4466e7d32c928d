import type { Database } from '@leadback/db';
import { auditRefused } from '@leadback/core/people/passwords';
import { deleteEndedSessions } from '@leadback/core/people/sessions';
import { deleteExpiredChallenges } from '@leadback/core/people/sign-in';
import { repeat } from '@leadback/server/app';
import type { ConsoleEvents } from './events.ts';

const everyMs = 600_000;
const rowsMax = 1_000;

/** Deletes sessions that have ended and challenges that have expired, and audits what was refused an hour ago. Every instance of the console runs one. */
export const sessionCleanup = (pool: Database['pool'], events: Pick<ConsoleEvents, 'cleanupFailed'>): AsyncDisposable =>
  repeat({
    everyMs,
    async round() {
      const counts = [
        await deleteEndedSessions(pool, rowsMax),
        await deleteExpiredChallenges(pool, rowsMax),
        await auditRefused(pool, rowsMax),
      ];
      return counts.includes(rowsMax);
    },
    onFailure: events.cleanupFailed,
  });
