import { setTimeout as pause } from 'node:timers/promises';
import { type Database, takeQuotaSlot } from '@leadback/db';
import type { TakeSlot } from '@leadback/platforms';
import type { WorkerEvents } from './events.ts';

// together with the request itself less than a lease
const waitMaxMs = 5_000;
const askAgainMs = 2_000;
// within a minute there is a turn, but for those whom the day has none left
const minuteMs = 60_000;

/** Keeps to the platforms' quotas together with all other workers. While the database is away it is nobody's turn. */
export const quotaLimiter =
  (pool: Database['pool'], events: WorkerEvents): TakeSlot =>
  async (quota) => {
    try {
      const { taken, inMs } = await takeQuotaSlot(pool, { ...quota, waitMaxMs });
      events.quotaSlot(taken ? 'taken' : inMs > minuteMs ? 'day_full' : 'minute_full');
      if (!taken) return inMs;
      await pause(inMs);
      return undefined;
    } catch (error) {
      events.turnNotTaken(error);
      return askAgainMs;
    }
  };
