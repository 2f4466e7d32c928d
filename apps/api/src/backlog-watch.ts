import { type Database, measureBacklog } from '@leadback/db';
import { repeat } from '@leadback/runtime';
import type { BacklogGauges } from './backlog-gauges.ts';
import type { ApiEvents } from './events.ts';

const everyMs = 5_000;
const restMinMs = 14_000;
// however long the backlog is, looking at it takes no more than this part of one connection's time
const restsPerLook = 20;

/** Measures what waits to be sent, about four times a minute. Every instance of the API does: all show the same. */
export const backlogWatch = (
  pool: Database['pool'],
  { show }: BacklogGauges,
  events: Pick<ApiEvents, 'backlogNotMeasured'>,
): AsyncDisposable => {
  let restsUntil = 0;
  return repeat({
    everyMs,
    async round() {
      const since = performance.now();
      if (since < restsUntil) return false;
      try {
        show(await measureBacklog(pool));
      } finally {
        const now = performance.now();
        restsUntil = now + Math.max(restMinMs, restsPerLook * (now - since));
      }
      return false;
    },
    onFailure: events.backlogNotMeasured,
  });
};
