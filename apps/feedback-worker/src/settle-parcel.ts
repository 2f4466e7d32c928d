import { setTimeout as pause } from 'node:timers/promises';
import { type Database, isDatabaseUnavailable } from '@leadback/db';
import { type ParcelSettlement, parcelSettler, type Settled } from '@leadback/delivery';
import type { WorkerEvents } from './events.ts';

export type SettleParcel = (settlement: ParcelSettlement) => Promise<Settled>;

const retryMs = 1_000;

/**
 * Returns a function that saves the outcomes of a parcel. Retries while PostgreSQL is unavailable: without its outcome,
 * an event that a platform has accepted would be sent again. `pool`: used for nothing else, so that no claim or quota
 * slot can keep outcomes waiting. A worker that stops waits for it for a while.
 */
export const retryingSettler = (pool: Database['pool'], events: WorkerEvents): SettleParcel => {
  const settle = parcelSettler(pool);
  return async (settlement) => {
    for (;;) {
      try {
        return await settle(settlement);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        events.settlingFailed(settlement.parcel.connection, error);
        await pause(retryMs);
      }
    }
  };
};
