import type { PoolClient } from 'pg';
import { databaseErrorCode } from './database-failure.ts';

/** As PostgreSQL says it about a statement that writes. */
class ReadOnlyServer extends Error {
  readonly code = '25006';

  constructor() {
    super('the server is a standby: nothing can be written');
  }
}

// as long as connecting may take
const queryTimeoutMs = 1_500;
const follow = { text: 'select follow_promotion() as "isPrimary"', query_timeout: queryTimeoutMs };

const followOn = async (client: Pick<PoolClient, 'query'>, allowsStandby: boolean): Promise<Error | undefined> => {
  try {
    const { rows } = await client.query<{ isPrimary: boolean }>(follow);
    return rows[0]?.isPrimary === false && !allowsStandby ? new ReadOnlyServer() : undefined;
  } catch (error) {
    if (databaseErrorCode(error) === '42883') return undefined; // the database is not migrated, see `assertMigrated`
    return error instanceof Error ? error : new Error(String(error));
  }
};

const ignoreError = () => {}; // the query fails as well

/**
 * The option `verify` of the pool of an app, which is called for each new connection, before its first statement. After a
 * promotion, the first connection moves the ids ahead of those that may be lost. Fails if the server is a standby, unless
 * those are allowed.
 */
export const followPromotion =
  ({ allowsStandby = false } = {}) =>
  async (client: PoolClient, done: (failure?: Error) => void): Promise<void> => {
    client.on('error', ignoreError);
    const failure = await followOn(client, allowsStandby);
    client.off('error', ignoreError);
    done(failure);
  };
