import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@leadback/db';
import { startPostgres } from '@leadback/local-stack';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import './provided-context.ts';

const templateDatabase = 'leadback_template';

/** Starts a PostgreSQL for this test run, with one migrated database that every test file copies. */
export const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'leadback-test-'));
  const postgres = await startPostgres({ dir: join(temporaryFolder, 'postgres'), durable: false });
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${templateDatabase}`);
  await client.end();
  const template = new URL(postgres.url);
  template.pathname = templateDatabase;
  await migrate(template.href);
  provide('postgresUrl', postgres.url);
  provide('templateDatabase', templateDatabase);
  provide('temporaryFolder', temporaryFolder);
  return async () => {
    await postgres.stop();
    await rm(temporaryFolder, { recursive: true, force: true });
  };
};
