import { isDatabaseUnavailable, isStatementTimeout } from '@leadback/db';

/** After so many failures without a slice in between, the work on a list or a file ends. */
const triesMax = 10;

/**
 * Whether a failure of a slice counts. The failures of a database that is away do not: every list would end with them.
 * A statement that takes too long counts, because the next one mostly does as well.
 */
export const isCountedFailure = (error: unknown): boolean => !isDatabaseUnavailable(error) || isStatementTimeout(error);

/** SQL: whether this failure is the last one, if it counts. */
export const isLastTry = `failures + 1 >= ${triesMax}`;

/** SQL: the pause after a failure that counts. All of them take about four minutes. */
export const pauseAfterFailure = `least(power(2, failures), 60) * interval '1 s'`;
