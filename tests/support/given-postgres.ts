import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@leadback/db';
import { type LocalServer, startPostgres } from '@leadback/testing/stack';
import { openTestDatabase, type TestDatabase } from '@leadback/testing';
import { Client } from 'pg';
import { inject } from 'vitest';

interface OwnPostgres extends AsyncDisposable {
  readonly server: LocalServer;
  readonly database: TestDatabase;
  /** Runs statements in one session of the administrator. Rejects if the server is away or ends meanwhile. */
  administer(...statements: readonly string[]): Promise<void>;
}

/** A PostgreSQL of its own, which the test may break, and its migrated database, which ends with the stack. */
export const givenPostgres = async (parent = inject('temporaryFolder')): Promise<OwnPostgres> => {
  const server = await startPostgres({ dir: await mkdtemp(join(parent, 'postgres-')) });
  const database = await openTestDatabase(server.url);
  await migrate(database.ownerUrl);
  // its connections end with the server
  database.pool.on('error', () => {});
  return {
    server,
    database,
    async administer(...statements) {
      const client = new Client({ connectionString: server.url });
      client.on('error', () => {});
      await client.connect();
      try {
        for (const statement of statements) await client.query(statement);
      } finally {
        await client.end();
      }
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
};
