import type { Database } from '@leadback/db';
import { metricsRoller } from '@leadback/reports';
import { repeat } from '@leadback/runtime';
import type { ApiEvents } from '../events.ts';

// reads include changes that are not rolled up yet; this only keeps their number low
const everyMs = 5_000;
const changesMax = 5_000;

/** Adds recorded changes to the metrics of their accounts. Every instance of the API runs one. */
export const metricsRollup = (pool: Database['pool'], events: ApiEvents): AsyncDisposable => {
  const rollUp = metricsRoller();
  return repeat({
    everyMs,
    async round() {
      const isMore = (await rollUp(pool, changesMax)) === changesMax;
      if (!isMore) events.metricsRolledUp();
      return isMore;
    },
    onFailure: events.rollupFailed,
  });
};
