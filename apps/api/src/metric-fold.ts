import { type Database, foldMetricChanges } from '@leadback/db';
import { repeat } from '@leadback/runtime';
import type { ApiEvents } from './events.ts';

// what is not folded is read as it is: this only keeps it short
const everyMs = 5_000;
const changesMax = 5_000;

/** Adds what statements have noted to the metrics of their accounts. Every instance of the API runs one. */
export const metricFold = (pool: Database['pool'], events: ApiEvents): AsyncDisposable =>
  repeat({
    everyMs,
    async round() {
      const isMore = (await foldMetricChanges(pool, changesMax)) === changesMax;
      if (!isMore) events.metricsFolded();
      return isMore;
    },
    onFailure: events.foldFailed,
  });
