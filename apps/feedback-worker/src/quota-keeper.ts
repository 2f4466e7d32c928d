import { setTimeout as pause } from 'node:timers/promises';
import { type Database, takePlatformTurn } from '@leadback/db';
import type { TakeTurn } from '@leadback/platforms';

// together with the request itself less than a lease
const waitMaxMs = 5_000;

/** Keeps to the platforms' quotas together with all other workers. */
export const quotaKeeper =
  (pool: Database['pool']): TakeTurn =>
  async (quota) => {
    const { taken, inMs } = await takePlatformTurn(pool, { ...quota, waitMaxMs });
    if (!taken) return inMs;
    if (inMs > 0) await pause(inMs);
    return undefined;
  };
