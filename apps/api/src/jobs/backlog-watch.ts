import type { Database } from '@leadback/db';
import { measureBacklog } from '@leadback/delivery';
import { countDeadRows } from '@leadback/reports';
import { repeat } from '@leadback/runtime';
import type { BacklogGauges } from './backlog-gauges.ts';
import type { ApiEvents } from '../events.ts';

const everyMs = 5_000;
const pauseMinMs = 14_000;
// limits measuring to a twentieth of the time of one connection, however long the backlog is
const pausesPerMeasurement = 20;

/** Measures the backlog about four times a minute. Every instance of the API does; all export the same values. */
export const backlogWatch = (
  pool: Database['pool'],
  { show, showDeadRows }: BacklogGauges,
  events: Pick<ApiEvents, 'backlogNotMeasured'>,
): AsyncDisposable => {
  let pausedUntil = 0;
  return repeat({
    everyMs,
    async round() {
      const since = performance.now();
      if (since < pausedUntil) return false;
      try {
        // first: too many of them can slow the measurement down until it fails
        showDeadRows(await countDeadRows(pool));
        show(await measureBacklog(pool));
      } finally {
        const now = performance.now();
        pausedUntil = now + Math.max(pauseMinMs, pausesPerMeasurement * (now - since));
      }
      return false;
    },
    onFailure: events.backlogNotMeasured,
  });
};
