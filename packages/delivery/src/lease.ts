/** How long a feedback row is left to its message before the relay publishes it again. */
export const leaseSeconds = 60;

/** The lease as a PostgreSQL interval. */
export const lease = `${leaseSeconds} seconds`;

/**
 * How long a worker may hold a claimed row: one request before its own, and its own, each including its bisecting.
 * No other worker takes the row meanwhile.
 */
export const claimLease = '120 seconds';
