import type { Database } from '@leadback/db';
import { asDatabaseRole, databaseRoles } from './stack/index.ts';
import { Client, Pool, type QueryResult } from 'pg';
import { inject } from 'vitest';
import './contexts.ts';
import { openPatiently, unique } from './saved.ts';

/** Connected as the role of the console, which may read and write all data but not change the schema. */
export interface TestDatabase extends Database {
  readonly url: string;
  /** Connects as the role that owns the schema. */
  readonly ownerUrl: string;
  /** Runs a statement as the role that owns the schema: what no app may do. */
  asOwner(statement: string, values?: readonly unknown[]): Promise<QueryResult>;
  /** Connects as the role of an app. */
  urlOf(app: keyof typeof databaseRoles): string;
}

/** Opens a migrated database. */
export const openTestDatabase = async (administratorUrl: string): Promise<TestDatabase> => {
  const url = asDatabaseRole(administratorUrl, databaseRoles.console);
  const database = await openPatiently({ url, applicationName: 'test' });
  const ownerUrl = asDatabaseRole(administratorUrl, 'leadback_owner');
  let owner: Pool | undefined;
  return {
    ...database,
    url,
    ownerUrl,
    asOwner(statement, values = []) {
      owner ??= new Pool({ connectionString: ownerUrl, max: 1 });
      return owner.query(statement, [...values]);
    },
    async [Symbol.asyncDispose]() {
      await owner?.end();
      await database[Symbol.asyncDispose]();
    },
    urlOf: (app) => asDatabaseRole(administratorUrl, databaseRoles[app]),
  };
};

interface DatabaseOptions {
  /** Whether statements wait for locks until `statement_timeout`: for tests that hold one meanwhile. */
  readonly waitsForLocks?: boolean;
}

/** A migrated, empty database of its own. */
export const givenDatabase = async ({ waitsForLocks = false }: DatabaseOptions = {}): Promise<TestDatabase> => {
  const server = inject('postgresUrl');
  const name = unique('test');
  const client = new Client({ connectionString: server });
  await client.connect();
  // copied as files: by the log, as usual since PostgreSQL 15, takes twice as much of a processor
  await client.query(
    `create database "${name}" template "${inject('templateDatabase')}" strategy file_copy owner leadback_owner`,
  );
  // privileges on the database itself are not copied
  await client.query(`revoke temporary on database "${name}" from public`);
  await client.end();
  const url = new URL(server);
  url.pathname = name;
  if (waitsForLocks) url.searchParams.set('options', '-c lock_timeout=0');
  return openTestDatabase(url.href);
};
