import type { Database } from '@leadback/db';
import { claimSuspectParcel, type DueFinder, failCrashedDeliveries, splitSuspectParcels } from '@leadback/delivery';
import type { Claims } from './claims.ts';
import type { WorkerEvents } from './events.ts';
import type { Lanes } from './lanes.ts';

interface Options {
  readonly pool: Database['pool'];
  readonly due: Pick<DueFinder, 'find'>;
  readonly lanes: Lanes;
  readonly claims: Pick<Claims, 'wake' | 'deliverAlone'>;
  readonly events: WorkerEvents;
  readonly stopping: AbortSignal;
}

/**
 * Returns a round that finds due parcels: retries, those whose hint was lost, and those of workers that stopped. The
 * round throws if PostgreSQL is unavailable.
 */
export const parcelSweep = ({ pool, due, lanes, claims, events, stopping }: Options): (() => Promise<void>) => {
  let isIsolating = false;

  /** Deliveries that crashed workers, one at a time, so that a further crash concerns that delivery alone. */
  const deliverSuspects = async (): Promise<void> => {
    await splitSuspectParcels(pool);
    for (const { platform, feedbackId } of await failCrashedDeliveries(pool)) {
      events.feedbackCrashed(platform, feedbackId);
    }
    while (!stopping.aborted) {
      const parcel = await claimSuspectParcel(pool);
      if (parcel === undefined) return;
      for (const { feedbackId } of parcel.deliveries) events.feedbackIsolated(parcel.connection.platform, feedbackId);
      await claims.deliverAlone(parcel);
    }
  };

  const isolate = async (): Promise<void> => {
    if (isIsolating) return;
    isIsolating = true;
    try {
      await deliverSuspects();
    } catch (error) {
      events.claimFailed(error);
    } finally {
      isIsolating = false;
    }
  };

  return async () => {
    const { connections, hasSuspects } = await due.find();
    for (const { id, platform } of connections) lanes.of(id, platform).hasMore = true;
    lanes.dropIdle();
    claims.wake();
    if (hasSuspects) void isolate();
  };
};
