import { batch } from '@leadback/runtime/batch';
import { isDatabaseUnavailable } from '@leadback/db';

const namesMax = 100;

/**
 * Batches concurrent lookups: `find` must return one result per name, in order. Runs one query at a time, so that a
 * flood of unknown names cannot exhaust the database.
 */
export const batchedLookup = <Found>(
  find: (names: readonly string[]) => Promise<readonly (Found | null)[]>,
): ((name: string) => Promise<Found | null>) =>
  batch(find, {
    itemsMax: namesMax,
    runsMax: 1,
    failureScope: (error) => (isDatabaseUnavailable(error) ? 'all' : 'batch'),
  });
