import type { Database } from '@leadback/db';
import { metricsRoller, qualityRoller } from '@leadback/reports';
import { repeat } from '@leadback/runtime';
import type { ApiEvents } from '../events.ts';

// reads include changes that are not rolled up yet; this only keeps their number low
const everyMs = 5_000;
const changesMax = 5_000;

/**
 * Adds recorded changes to the metrics and the quality counts of their accounts. Every instance of the API runs one.
 * `campaignsMax`: of a page and day.
 */
export const metricsRollup = (pool: Database['pool'], campaignsMax: number, events: ApiEvents): AsyncDisposable => {
  const rollers = [metricsRoller(campaignsMax), qualityRoller()];
  return repeat({
    everyMs,
    async round() {
      let isMore = false;
      for (const rollUp of rollers) if ((await rollUp(pool, changesMax)) === changesMax) isMore = true;
      if (!isMore) events.metricsRolledUp();
      return isMore;
    },
    onFailure: events.rollupFailed,
  });
};
