import type { Database } from '@leadback/db';
import { type ErasureTools, performNextErasure } from '@leadback/erasure';
import { repeat } from '@leadback/runtime';
import type { ApiEvents } from '../events.ts';

const everyMs = 1_000;

/**
 * Performs erasures that were asked for, one at a time. Every instance of the API does. `pool`: see
 * `performNextErasure`.
 */
export const erasures = (
  pool: Database['pool'],
  tools: ErasureTools,
  events: Pick<ApiEvents, 'erasurePerformed' | 'erasuresNotPerformed'>,
): AsyncDisposable =>
  repeat({
    everyMs,
    async round() {
      const step = await performNextErasure(pool, tools);
      if (step) events.erasurePerformed(step);
      return step !== undefined;
    },
    onFailure: events.erasuresNotPerformed,
  });
