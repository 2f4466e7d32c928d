import type { Database } from '@leadback/db';
import { lapseAskedErasures } from '@leadback/erasure/ask';
import { repeat } from '@leadback/runtime';
import type { ApiEvents } from '../events.ts';

const everyMs = 60_000;

/** Ends the erasures that visitors asked for and no account has confirmed in time. Every instance of the API does. */
export const erasureLapses = (
  pool: Database['pool'],
  events: Pick<ApiEvents, 'erasuresLapsed' | 'erasuresNotPerformed'>,
): AsyncDisposable =>
  repeat({
    everyMs,
    async round() {
      const count = await lapseAskedErasures(pool);
      if (count > 0) events.erasuresLapsed(count);
      return false;
    },
    onFailure: events.erasuresNotPerformed,
  });
