import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@leadback/db';
import { givenVirtualHost, unique } from '@leadback/test-fixtures';
import { asBrokerUser, asDatabaseRole, freePort } from '@leadback/local-stack';
import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import { type BuiltImage, builtImage } from './built-image.ts';
import { environmentOf, newVariables, services } from './compose-file.ts';
import { imageFolders } from './image-folders.ts';

const variables = newVariables();
let database: string;
let broker: string;

const roleIn = (url: string) => z.enum(['leadback_owner', 'leadback_app']).parse(new URL(url).username);

/** The environment of a compose service, with the addresses of the test servers. */
const settingsOf = (service: string) => {
  const told = services[service] === undefined ? {} : environmentOf(services[service], variables);
  const { DATABASE_URL: itsDatabase, AMQP_URL: itsBroker } = told;
  return {
    ...told,
    ...(itsDatabase !== undefined && { DATABASE_URL: asDatabaseRole(database, roleIn(itsDatabase)) }),
    ...(itsBroker !== undefined && { AMQP_URL: asBrokerUser(broker, new URL(itsBroker).username) }),
  };
};

/** Runs a command of the operator's image with the environment of a compose service. */
const operate = async (service: 'migrate' | 'operator', ...args: readonly string[]) => {
  const image = await builtImage('apps/operator');
  const process = image.start([...image.command('ENTRYPOINT'), ...args], settingsOf(service));
  return { status: await process.ended, output: process.output() };
};

const statusOfCheck = (image: BuiltImage, settings: Readonly<Record<string, string>>) =>
  image.start(image.command('HEALTHCHECK'), settings).ended;

beforeAll(async () => {
  const url = new URL(inject('postgresUrl'));
  await using server = await openDatabase({ url: url.href, applicationName: 'test' });
  url.pathname = unique('image');
  await server.pool.query(`create database "${url.pathname.slice(1)}" owner leadback_owner`);
  database = url.href;
  broker = await givenVirtualHost();
  const { status, output } = await operate('migrate', 'database', 'migrate');
  if (status !== 0) throw new Error(output);
}, 120_000);

it('the operator image migrates an empty database', async () => {
  expect(await operate('operator', 'account', 'list', '--json')).toEqual({ status: 0, output: '[]\n' });
});

it.each(imageFolders)('the image of %s contains only its bundle and build output', async (folder) => {
  const { folder: index } = await builtImage(folder);
  const files = await readdir(index, { recursive: true });
  expect(files).toEqual(expect.arrayContaining(['dist/main.js', 'package.json']));
  expect(files.filter((file) => !/^(package\.json|dist|dist\/(main\.js|docs.*|THIRD-PARTY.*))$/.test(file))).toEqual(
    [],
  );
});

it('the image of apps/api contains all files of its documentation', async () => {
  const { folder } = await builtImage('apps/api');
  const documentation = await readdir(join(folder, 'dist', 'docs'));
  expect(documentation.toSorted()).toEqual(['favicon-32x32.png', 'swagger-ui-bundle.js', 'swagger-ui.css']);
});

describe.each([
  { service: 'landing', folder: 'apps/landing' },
  { service: 'api', folder: 'apps/api' },
  { service: 'feedback-worker', folder: 'apps/feedback-worker' },
  { service: 'sandbox', folder: 'packages/platform-sandbox' },
])('the image of $folder', ({ service, folder }) => {
  it('$folder serves with the environment of compose, passes its health check and exits on SIGTERM', async () => {
    const image = await builtImage(folder);
    const [port, operationsPort] = [await freePort(), await freePort()];
    const ports = { PORT: String(port), OPERATIONS_PORT: String(operationsPort) };
    const settings = { ...settingsOf(service), ...ports };
    const before = await statusOfCheck(image, settings);
    const app = image.start(image.command('CMD'), settings);
    const died = app.ended.then(() => {
      throw new Error(app.output());
    });
    const address = `http://127.0.0.1:${service === 'sandbox' ? `${port}/health` : `${operationsPort}/ready`}`;
    const isServing = async () => (await statusOfCheck(image, settings)) === 0 && (await fetch(address)).ok;
    await Promise.race([died, vi.waitUntil(isServing, { timeout: 20_000, interval: 100 })]);
    app.kill('SIGTERM');
    const status = await app.ended;
    expect({ before, status, said: status === 0 ? '' : app.output() }).toEqual({ before: 1, status: 0, said: '' });
  });
});

it.each(['apps/landing', 'apps/api', 'apps/feedback-worker'])(
  'the image of %s names missing settings and does not start',
  async (folder) => {
    const image = await builtImage(folder);
    const app = image.start(image.command('CMD'), {});
    expect([await app.ended, app.output()]).toEqual([1, expect.stringContaining('→ at DATABASE_URL')]);
  },
);
