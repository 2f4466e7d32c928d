import type { Pool } from '@leadback/db';
import { workOnNextRetry } from '@leadback/core/delivery/retry';
import { auditRefused } from '@leadback/core/people/passwords';
import { deleteEndedSessions } from '@leadback/core/people/sessions';
import { deleteExpiredChallenges } from '@leadback/core/people/sign-in';
import type { ConsoleEvents } from './events.ts';

/** Works on the next part of a retry that somebody has started; each part is done by one of several consoles. */
export const workOnRetries = async (
  pool: Pool,
  events: Pick<ConsoleEvents, 'deliveriesRetried' | 'taskDone' | 'taskFailed'>,
): Promise<boolean> => {
  const step = await workOnNextRetry(pool);
  if (!step) return false;
  if ('error' in step) events.taskFailed(step.error, step.id);
  else {
    events.deliveriesRetried(step.retried);
    if (step.isDone) events.taskDone(step);
  }
  return true;
};

const rowsMax = 1_000;

/** Deletes sessions that have ended and challenges that have expired, and audits what was refused an hour ago. */
export const cleanUpSessions = async (pool: Pool): Promise<boolean> => {
  const counts = [
    await deleteEndedSessions(pool, rowsMax),
    await deleteExpiredChallenges(pool, rowsMax),
    await auditRefused(pool, rowsMax),
  ];
  return counts.includes(rowsMax);
};
