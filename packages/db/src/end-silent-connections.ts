import { Socket } from 'node:net';
import type { Pool } from 'pg';

/** PostgreSQL has sent nothing for too long while it owed a response. */
export class QueryTimeout extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('PostgreSQL did not respond in time');
  }
}

/**
 * Ends connections on which a statement waits for its response, and that were silent for so long; their statements fail with
 * `QueryTimeout`. The option `query_timeout` of pg does this as well, but its timer and its function for each statement
 * keep the statement, and the requests that wait for it, until the next full garbage collection.
 */
export const endSilentConnections = (pool: Pool, maxMs: number): void => {
  pool.on('connect', ({ connection }) => {
    const { stream } = connection;
    if (!(stream instanceof Socket)) return;
    let answered = stream.bytesWritten;
    // before pg's own listener, which may send the next statement at once
    connection.prependListener('readyForQuery', () => {
      answered = stream.bytesWritten;
    });
    stream.setTimeout(maxMs, () => {
      if (stream.bytesWritten > answered) stream.destroy(new QueryTimeout());
    });
  });
};
