import { type Database, openDatabase } from '@leadback/db';
import { Client } from 'pg';
import { inject } from 'vitest';
import './provided-context.ts';
import { unique } from './unique.ts';

export interface TestDatabase extends Database {
  readonly url: string;
}

/** A migrated, empty database that nobody else uses. */
export const givenDatabase = async (): Promise<TestDatabase> => {
  const server = inject('postgresUrl');
  const name = unique('test');
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`create database "${name}" template "${inject('templateDatabase')}"`);
  await client.end();
  const url = new URL(server);
  url.pathname = name;
  const database = await openDatabase({ url: url.href, applicationName: 'test' });
  return { ...database, url: url.href };
};
