import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@leadback/db';
import { type LocalServer, startPostgres } from '@leadback/local-stack';
import { openTestDatabase, type TestDatabase } from '@leadback/test-fixtures';
import { inject } from 'vitest';

/** A PostgreSQL of its own, which the test may break, and its migrated database, which ends with the stack. */
export const givenPostgres = async (
  parent = inject('temporaryFolder'),
): Promise<AsyncDisposable & { readonly server: LocalServer; readonly database: TestDatabase }> => {
  const server = await startPostgres({ dir: await mkdtemp(join(parent, 'postgres-')) });
  const database = await openTestDatabase(server.url);
  await migrate(database.ownerUrl);
  // its connections end with the server
  database.pool.on('error', () => {});
  return { server, database, [Symbol.asyncDispose]: () => server.stop() };
};
