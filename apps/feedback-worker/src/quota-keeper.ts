import { setTimeout as pause } from 'node:timers/promises';
import { type Database, takePlatformTurn } from '@leadback/db';
import type { TakeTurn } from '@leadback/platforms';
import type { WorkerEvents } from './events.ts';

// together with the request itself less than a lease
const waitMaxMs = 5_000;
const askAgainMs = 2_000;
// within a minute there is a turn, but for those whom the day has none left
const minuteMs = 60_000;

/** Keeps to the platforms' quotas together with all other workers. While the database is away it is nobody's turn. */
export const quotaKeeper =
  (pool: Database['pool'], events: WorkerEvents): TakeTurn =>
  async (quota) => {
    try {
      const { taken, inMs } = await takePlatformTurn(pool, { ...quota, waitMaxMs });
      events.quotaTurn(taken ? 'taken' : inMs > minuteMs ? 'day full' : 'minute full');
      if (!taken) return inMs;
      await pause(inMs);
      return undefined;
    } catch (error) {
      events.turnNotTaken(error);
      return askAgainMs;
    }
  };
