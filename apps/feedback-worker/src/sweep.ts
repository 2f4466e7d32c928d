import type { Contacts, Database } from '@leadback/db';
import { claimSuspectParcel, type DueFinder, failCrashedDeliveries, splitSuspectParcels } from '@leadback/delivery';
import type { Claims } from './claims.ts';
import type { WorkerEvents } from './events.ts';
import type { Lanes } from './lanes.ts';

interface Options {
  readonly pool: Database['pool'];
  readonly contacts: Contacts;
  readonly due: Pick<DueFinder, 'find'>;
  readonly lanes: Lanes;
  readonly claims: Pick<Claims, 'wake' | 'deliverAlone'>;
  readonly events: WorkerEvents;
  readonly stopping: AbortSignal;
}

/** Both throw if PostgreSQL is unavailable. */
export interface ParcelSweep {
  /**
   * Finds due parcels: retries, those whose hint was lost, and those of workers that stopped. Throws if PostgreSQL is
   * read-only.
   */
  find(): Promise<void>;
  /**
   * If `find` found deliveries that crashed workers: delivers them one at a time, so that a further crash concerns that
   * delivery alone.
   */
  deliverSuspects(): Promise<void>;
}

export const parcelSweep = ({ pool, contacts, due, lanes, claims, events, stopping }: Options): ParcelSweep => {
  let hasSuspects = false;

  return {
    async find() {
      const found = await due.find(lanes.all().map(({ connectionId }) => connectionId));
      if (found.isReadOnly) throw new Error('PostgreSQL is read-only');
      hasSuspects = found.hasSuspects;
      for (const { id, platform } of found.connections) lanes.of(id, platform).hasMore = true;
      lanes.dropIdle();
      claims.wake();
    },
    async deliverSuspects() {
      if (!hasSuspects) return;
      await splitSuspectParcels(pool);
      for (const { platform, feedbackId } of await failCrashedDeliveries(pool)) {
        events.feedbackCrashed(platform, feedbackId);
      }
      while (!stopping.aborted) {
        const parcel = await claimSuspectParcel(pool, contacts);
        if (parcel === undefined) return;
        for (const { feedbackId } of parcel.deliveries) events.feedbackIsolated(parcel.connection.platform, feedbackId);
        await claims.deliverAlone(parcel);
      }
    },
  };
};
