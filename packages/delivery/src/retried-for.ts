/** How long failed deliveries are retried and request statuses are checked: a PostgreSQL interval. */
export const retriedFor = '3 days';
