import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@leadback/db';
import { asDatabaseRole, makeRoles, startPostgres } from './stack/index.ts';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import './contexts.ts';
import { sharedBroker } from './given-servers.ts';

const templateDatabase = 'leadback_template';

/** `npm test` sets the folder and cleans it up, even after interrupted tests. */
const temporaryFolderOfRun = (): string => {
  const given = process.env.LEADBACK_TEST_FOLDER;
  if (given !== undefined) {
    mkdirSync(given, { recursive: true });
    return given;
  }
  const own = mkdtempSync(join(tmpdir(), 'leadback-test-'));
  process.once('exit', () => rmSync(own, { recursive: true, force: true }));
  return own;
};

/**
 * Starts a PostgreSQL for this test run, with a migrated database that every test file copies. RabbitMQ starts when the
 * first test needs it.
 */
export const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const temporaryFolder = temporaryFolderOfRun();
  const postgres = await startPostgres({ dir: join(temporaryFolder, 'postgres'), durable: false });
  // a query takes a quarter less of a processor than by TCP
  const url = new URL(postgres.socketUrl);
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${templateDatabase} owner leadback_owner`);
  await client.end();
  const template = new URL(url);
  template.pathname = templateDatabase;
  await makeRoles(template.href);
  await migrate(asDatabaseRole(template.href, 'leadback_owner'));
  provide('postgresUrl', url.href);
  provide('templateDatabase', templateDatabase);
  provide('temporaryFolder', temporaryFolder);
  const broker = await sharedBroker(join(temporaryFolder, 'broker'));
  provide('sharedBrokerUrl', broker.url);
  return async () => {
    await Promise.all([broker[Symbol.asyncDispose](), postgres.stop()]);
  };
};
