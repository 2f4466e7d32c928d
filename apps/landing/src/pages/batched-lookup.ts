import { batch, isDatabaseUnavailable } from '@leadback/db';

const namesMax = 100;

/**
 * Turns a function that finds what many names stand for into one for a single name. Names that are asked for meanwhile
 * share a query, one query at a time: so a flood of names that nobody gave leaves the database to others.
 */
export const batchedLookup = <Found>(
  find: (names: readonly string[]) => Promise<readonly (Found | null)[]>,
): ((name: string) => Promise<Found | null>) =>
  batch(find, {
    itemsMax: namesMax,
    runsMax: 1,
    failureScope: (error) => (isDatabaseUnavailable(error) ? 'all' : 'batch'),
  });
