import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@leadback/db';
import { cleanUpImports, importWorker, type itemRegistrars } from '@leadback/intake';
import type { NewParcel } from '@leadback/delivery';
import { repeat } from '@leadback/runtime';
import type { ApiEvents } from '../events.ts';

const everyMs = 1_000;
const cleanupEveryMs = 10_000;
// requests come first: how long to pause after a slice, as a share of its time, and if requests wait for a connection
const pauseShare = 0.2;
const pauseShareUnderLoad = 3;

export interface ImportRowsOptions {
  readonly register: ReturnType<typeof itemRegistrars>;
  /** See `ConversionRegistrarOptions`. */
  readonly announce: (parcels: readonly NewParcel[]) => void;
  readonly events: Pick<ApiEvents, 'rowsImported' | 'importFailed'>;
}

/** Registers the rows of imported files, one slice at a time. Every instance of the API runs one. */
export const importRows = (
  pool: Database['pool'],
  { register, announce, events }: ImportRowsOptions,
): AsyncDisposable => {
  const next = importWorker(pool, register);
  let cleanUpAt = 0;
  return repeat({
    everyMs,
    async round() {
      const since = performance.now();
      if (since >= cleanUpAt) {
        cleanUpAt = since + cleanupEveryMs;
        await cleanUpImports(pool);
      }
      const step = await next();
      if (!step) return false;
      if (step.parcels.length > 0) announce(step.parcels);
      events.rowsImported(step);
      await pause((performance.now() - since) * (pool.waitingCount > 0 ? pauseShareUnderLoad : pauseShare));
      return true;
    },
    onFailure: events.importFailed,
  });
};
