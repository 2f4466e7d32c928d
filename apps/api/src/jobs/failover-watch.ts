import type { Pool } from '@leadback/db';
import { compareAccepted, readServer } from '@leadback/intake';
import { repeat } from '@leadback/runtime';
import type { AcceptedLog } from '../accepted/accepted-log.ts';
import type { ApiEvents } from '../events.ts';

const everyMs = 5_000;

/**
 * Looks for what this process accepted once PostgreSQL was promoted: an asynchronous standby may lack it. Every instance of
 * the API runs one.
 */
export const failoverWatch = (pool: Pool, accepted: AcceptedLog, events: ApiEvents): AsyncDisposable => {
  let known: string | undefined;
  return repeat({
    everyMs,
    round: async () => {
      const server = await readServer(pool);
      if (server !== undefined && known !== undefined && server !== known) {
        const all = accepted.all();
        events.acceptedCompared({ compared: all.length, lost: await compareAccepted(pool, all, server) });
      }
      known = server ?? known;
      return false;
    },
    onFailure: events.acceptedNotCompared,
  });
};
