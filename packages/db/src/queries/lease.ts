/**
 * How long a feedback row is left to whoever works on it before the relay looks at it again. Longer than a worker may
 * take for one request to a platform, so that nobody is overtaken while still at work.
 */
export const leaseSeconds = 60;

/** The lease as a PostgreSQL interval. */
export const lease = `${leaseSeconds} seconds`;
