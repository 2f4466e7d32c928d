import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@leadback/db';
import { takeQuotaSlot } from '@leadback/delivery';
import type { TakeSlot } from '@leadback/platforms';
import type { WorkerEvents } from './events.ts';

// together with the request itself, shorter than a lease
const waitMaxMs = 5_000;
const retryMs = 2_000;
// a slot is free within a minute, unless the quota of the day is used up
const minuteMs = 60_000;

/** Enforces the platforms' quotas across all workers. While PostgreSQL is unavailable no slot is granted. */
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
      events.quotaSlotFailed(error);
      return retryMs;
    }
  };
