import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@leadback/db';
import { takeQuotaSlot } from '@leadback/delivery';
import type { TakeSlot } from '@leadback/platforms';

// a person waits for the answer
const waitMaxMs = 5_000;

/** Test events take slots of the same quotas as the deliveries of the workers. */
export const takeCheckSlot =
  ({ pool }: Pick<Database, 'pool'>): TakeSlot =>
  async (quota) => {
    const { taken, inMs } = await takeQuotaSlot(pool, { ...quota, waitMaxMs });
    if (!taken) return inMs;
    await pause(inMs);
    return undefined;
  };
