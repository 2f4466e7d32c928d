/** The maximum number of deliveries in a parcel. */
export const parcelSizeMax = 200;

/**
 * How long a worker may hold a claimed parcel, a PostgreSQL interval: one request before its own, and its own, each
 * including its bisecting. No other worker takes the parcel meanwhile.
 */
export const claimLease = '120 seconds';

/** Until when after its claim a worker may begin to send a parcel: the longest request ends before the lease does. */
export const sendableForMs = 75_000;

/** How long a new parcel is left to its hint before workers that look for due parcels take it. */
export const hintGrace = '1 second';

/** How long failed deliveries are retried and request statuses are checked: a PostgreSQL interval. */
export const retriedFor = '3 days';

/** A parcel that has lost more leases than this is split, and each of its deliveries is claimed alone. */
export const leasesLostTogetherMax = 2;

/** A delivery that has lost so many leases has failed. */
export const leasesLostMax = 5;

/**
 * SQL: since when a delivery, a `delivery` called f of a `platform_connection` called c, has been retried. One that
 * waited for its connection has the full time from its resumption on.
 */
export const retriedSince = 'greatest(coalesce(f.retried_since, f.created_at), c.resumed_at)';
