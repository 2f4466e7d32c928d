/** How long a feedback row is left to the message that tells of it before the relay looks at it again. */
export const leaseSeconds = 60;

/** The lease as a PostgreSQL interval. */
export const lease = `${leaseSeconds} seconds`;

/**
 * How long a worker may take for a row that it has claimed: one request before its own, and its own, each with all that a
 * platform may make of it. Nobody is overtaken while still at work.
 */
export const claimLease = '120 seconds';
