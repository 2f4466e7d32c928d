import { type Database, openDatabase } from '@leadback/db';
import { asDatabaseRole } from '@leadback/local-stack';
import { Client } from 'pg';
import { inject } from 'vitest';
import './provided-context.ts';
import { unique } from './unique.ts';

/** A database as the apps have it: they may change nothing about its tables. */
export interface TestDatabase extends Database {
  readonly url: string;
  /** Of the role that owns everything in it, and may change it. */
  readonly ownerUrl: string;
}

/** Opens a migrated database at its administrator's address. */
export const openTestDatabase = async (administratorUrl: string): Promise<TestDatabase> => {
  const url = asDatabaseRole(administratorUrl, 'leadback_app');
  const database = await openDatabase({ url, applicationName: 'test' });
  return { ...database, url, ownerUrl: asDatabaseRole(administratorUrl, 'leadback_owner') };
};

/** A migrated, empty database that nobody else uses. */
export const givenDatabase = async (): Promise<TestDatabase> => {
  const server = inject('postgresUrl');
  const name = unique('test');
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`create database "${name}" template "${inject('templateDatabase')}" owner leadback_owner`);
  // what is granted on a database itself is not copied
  await client.query(`revoke temporary on database "${name}" from public`);
  await client.end();
  const url = new URL(server);
  url.pathname = name;
  return openTestDatabase(url.href);
};
