/** For how long what did not succeed is tried again, and a platform is asked what became of a request: a PostgreSQL interval. */
export const retriedFor = '3 days';
