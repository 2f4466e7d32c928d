import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@leadback/db';
import { givenVirtualHost, unique } from '@leadback/test-fixtures';
import { asBrokerUser, asDatabaseRole, databaseRoles, freePort } from '@leadback/local-stack';
import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import { type BuiltImage, builtImage } from './built-image.ts';
import { environmentOf, newVariables, services } from './compose-file.ts';
import { apps, commandOf } from './dockerfile.ts';

const variables = newVariables();
const images = new Map<string, BuiltImage>();
let database: string;
let broker: string;

const imageOf = (app: string): BuiltImage => {
  const image = images.get(app);
  if (image === undefined) throw new Error(`no image of ${app}`);
  return image;
};

const readBundled = (app: string, file: string) => readFile(join(imageOf(app).folder, 'dist', file), 'utf8');

const roleIn = (url: string) =>
  z.enum(['leadback_owner', ...Object.values(databaseRoles)]).parse(new URL(url).username);

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
  const process = imageOf('operator').start([...commandOf('operator', 'ENTRYPOINT'), ...args], settingsOf(service));
  return { status: await process.ended, output: process.output() };
};

beforeAll(async () => {
  for (const app of apps) images.set(app, await builtImage(app));
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

it('the operator image prints its help if it gets no command', async () => {
  const { status, output } = await operate('operator', ...commandOf('operator', 'CMD'));
  expect([status, output]).toEqual([0, expect.stringContaining('Commands:')]);
});

describe.each(apps)('the image of %s', (app) => {
  it('the image contains one bundle without packages, sources and settings, the documentation of the api, and the pages of the console', async () => {
    const files = await readdir(imageOf(app).folder, { recursive: true, withFileTypes: true });
    const documentation = [
      'changelog.md',
      'corrections.md',
      'files.md',
      'guide.md',
      'leadback.php',
      'leadback.py',
      'sdk-javascript.md',
      'sdks.md',
      'webhooks.md',
    ];
    const pages = ['favicon.svg', 'index.html', 'licenses.txt'];
    const inFolder = { api: documentation, console: pages }[app] ?? [];
    expect(
      files
        // named after their content
        .filter((file) => file.isFile() && !file.parentPath.endsWith('/dist/web/assets'))
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['THIRD-PARTY-LICENSES', 'main.js', 'package.json', ...inFolder].toSorted());
  });

  it('the image contains the licences of all libraries in its bundle', async () => {
    // comments in a bundle name the source of each part
    const parts = (await readBundled(app, 'main.js')).matchAll(
      /node_modules\/\.pnpm\/[^/"]+\/node_modules\/((?:@[^/"]+\/)?[^/"]+)/g,
    );
    const libraries = new Set(Array.from(parts, ([, name = '']) => name));
    const licences = await readBundled(app, 'THIRD-PARTY-LICENSES');
    expect(libraries.size).toBeGreaterThan(10);
    expect([...libraries].filter((name) => !licences.includes(`\n${name} `))).toEqual([]);
  });
});

describe.each([
  { service: 'landing', app: 'landing', pages: [] },
  { service: 'api', app: 'api', pages: ['/docs', '/docs/changelog', '/docs/leadback.py'] },
  { service: 'feedback-worker', app: 'feedback-worker', pages: [] },
  { service: 'sandbox', app: 'platform-sandbox', pages: [] },
])('the image of $app', ({ service, app, pages }) => {
  it('serves with the environment of compose, passes its health check and exits on SIGTERM', async () => {
    const image = imageOf(app);
    const [port, operationsPort] = [await freePort(), await freePort()];
    const ports = {
      PORT: String(port),
      ...(app !== 'platform-sandbox' && { OPERATIONS_PORT: String(operationsPort) }),
    };
    const settings = { ...settingsOf(service), ...ports };
    const statusOfCheck = () => image.start(commandOf(app, 'HEALTHCHECK'), settings).ended;
    const before = await statusOfCheck();
    const running = image.start([...commandOf(app, 'ENTRYPOINT'), ...commandOf(app, 'CMD')], settings);
    const died = running.ended.then(() => {
      throw new Error(running.output());
    });
    const address = `http://127.0.0.1:${app === 'platform-sandbox' ? `${port}/health` : `${operationsPort}/ready`}`;
    const isServing = async () => (await statusOfCheck()) === 0 && (await fetch(address)).ok;
    await Promise.race([died, vi.waitUntil(isServing, { timeout: 20_000, interval: 100 })]);
    for (const page of pages) {
      const { status, headers } = await fetch(`http://127.0.0.1:${port}${page}`);
      const type = page.endsWith('.py') ? 'text/plain' : 'text/html';
      expect([status, headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    }
    running.kill('SIGTERM');
    const status = await running.ended;
    expect({ before, status, said: status === 0 ? '' : running.output() }).toEqual({ before: 1, status: 0, said: '' });
  });
});

it.each([
  { app: 'landing', words: [] },
  { app: 'api', words: [] },
  { app: 'feedback-worker', words: [] },
  { app: 'operator', words: ['account', 'create', '--name', 'x'] },
])('the image of $app names missing settings and does not start', async ({ app, words }) => {
  const started = imageOf(app).start([...commandOf(app, 'ENTRYPOINT'), ...words]);
  expect([await started.ended, started.output()]).toEqual([1, expect.stringContaining('→ at DATABASE_URL')]);
});
