import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@leadback/testing/stack';
import { eventually, waitMaxMs } from '@leadback/testing';
import { connect } from 'amqplib';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const execute = promisify(execFile);

const address = z.string().regex(/^http:\/\/127\.0\.0\.1:\d+/);
const runningSchema = z.object({
  landing: address,
  api: address.endsWith('/api/v1'),
  sandbox: address,
  console: address,
  shops: z.record(z.string(), address),
  operations: z.object({ landing: address, api: address, 'feedback-worker': address, console: address }),
  databaseUrl: z.string().startsWith('postgres://postgres:'),
  amqpUrl: z.string().startsWith('amqp://'),
  operator: z.object({ databaseUrl: z.string(), ownerDatabaseUrl: z.string(), amqpUrl: z.string() }),
  secretsKey: z.base64(),
  pids: z.object({
    landing: z.number(),
    api: z.number(),
    'feedback-worker': z.number(),
    sandbox: z.number(),
    console: z.number(),
    postgres: z.number(),
    rabbitmq: z.number(),
  }),
  demo: z.object({
    accountId: z.number(),
    apiKey: z.string().startsWith('lb_live_'),
    testKey: z.string().startsWith('lb_test_'),
    landingPage: address.endsWith('/demo'),
    directPage: address.endsWith('/demo-direct'),
    console: z.object({ email: z.string(), password: z.string(), secondFactor: z.string() }),
    invented: z.object({ accountId: z.number(), name: z.string() }),
  }),
});

const isAlive = (pid: number) => existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`).length > 0;

const without = (url: string) => {
  const its = new URL(url);
  expect(its.password).toMatch(/^[0-9a-f]{48}$/);
  its.password = '';
  return its.href;
};
const asked = async (connectionString: string) => {
  const client = new Client({ connectionString });
  try {
    await client.connect();
    return (await client.query('select 1 as one')).rows;
  } finally {
    await client.end();
  }
};

/** Tells a simulated shop what happened to an order; returns the order. */
const post = async (url: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return z.object({ id: z.string() }).parse(await response.json());
};

describe('npm start', () => {
  let env: NodeJS.ProcessEnv;
  let start: ChildProcess;
  let printed = '';
  const runningFile = () => join(env.LEADBACK_FOLDER ?? '', 'running.json');
  const running = () => runningSchema.parse(JSON.parse(readFileSync(runningFile(), 'utf8')));
  /** The output of `npm run operator`, even if its exit status is not 0. */
  const operate = async (...words: readonly string[]): Promise<unknown> => {
    const its = { cwd: root, env: { ...env, DATABASE_URL: undefined, AMQP_URL: undefined } };
    const ended = await execute(process.execPath, ['scripts/operator.ts', ...words, '--json'], its).catch(
      (error: unknown) => error,
    );
    return JSON.parse(z.object({ stdout: z.string() }).parse(ended).stdout);
  };

  const startAndWait = async () => {
    start = spawn(process.execPath, [join(root, 'scripts', 'start.ts')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [start.stdout, start.stderr]) {
      stream?.on('data', (text: Buffer) => {
        printed += text.toString();
      });
    }
    await vi.waitUntil(() => existsSync(runningFile()) || start.exitCode !== null, {
      timeout: waitMaxMs,
      interval: 200,
    });
    if (start.exitCode !== null) throw new Error(`npm start ended: ${printed}`);
  };

  beforeAll(async () => {
    const [landing, api, shop, sandbox, console] = await Promise.all(Array.from({ length: 5 }, freePort));
    const operations = await freePort(4);
    const folder = await mkdtemp(join(inject('temporaryFolder'), 'start-'));
    // as if somebody had made it readable
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'logs'), { mode: 0o755 });
    writeFileSync(join(folder, 'logs', 'landing.log'), '', { mode: 0o644 });
    env = {
      ...process.env,
      LEADBACK_FOLDER: folder,
      LANDING_PORT: String(landing),
      API_PORT: String(api),
      SHOP_PORT: String(shop),
      SANDBOX_PORT: String(sandbox),
      CONSOLE_PORT: String(console),
      OPERATIONS_PORT_BASE: String(operations),
    };
    await startAndWait();
  });
  afterAll(() => {
    start.kill('SIGTERM');
  });

  it('npm start takes one visitor through to Meta and Google and prints what to try', async () => {
    // running.json is written before the last lines are printed
    await eventually(() => expect(printed.match(/^ +curl /gm)).toHaveLength(3));
    expect(printed).toMatch(/delivery +meta has received the conversion/);
    expect(printed).toMatch(/delivery +google has received the conversion/);
    expect(printed).toMatch(/webhook +the shop was told: delivery\.delivered \(meta\)/);
    expect(printed).toMatch(/webhook +the shop was told: delivery\.delivered \(google\)/);
    expect(printed).toContain(running().demo.apiKey);
  });

  it('npm start ends with what to open first: the console of an invented shop, and how to sign in', () => {
    const { console, demo } = running();
    const last = printed.slice(printed.indexOf('Open this first'));
    for (const part of [`${console}/a/${demo.invented.accountId}/overview`, demo.console.email, demo.console.password])
      expect(last).toContain(part);
    expect(printed).toContain(demo.testKey);
  });

  it('the invented shop has one connection that needs attention, and doctor finds nothing else', async () => {
    const finding = z.looseObject({ check: z.string(), state: z.string(), finding: z.string() });
    const findings = z.array(finding).parse(await operate('doctor'));
    expect(findings.filter(({ state }) => state === 'error')).toEqual([
      expect.objectContaining({ check: 'connections', finding: expect.stringContaining('TikTok rejects connection') }),
    ]);
  });

  it('npm run operator uses the servers of npm start', async () => {
    const { accountId } = running().demo;
    const delivered = ['google', 'meta', 'webhook', 'webhook'].map((platform) => ({ platform, state: 'delivered' }));
    const list = z.array(z.looseObject({ platform: z.string() }));
    const deliveries = list.parse(await operate('delivery', 'list', '--account', String(accountId)));
    const byPlatform = deliveries.toSorted((one, other) => one.platform.localeCompare(other.platform));
    expect(byPlatform).toMatchObject(delivered);
  });

  it('the calls that npm start prints can be pasted: they report a sale and look it up', async () => {
    const { demo } = running();
    await eventually(() => expect(printed).toContain('Press Ctrl-C'));
    const lines = printed.split('\n').filter((line) => /^ +(?:KEY=|LEAD=|curl )/.test(line));
    const { stdout } = await execute('bash', ['-c', lines.join('\n')]);
    expect(stdout).toContain('"conversionExternalReference":"order-1"');
    expect(stdout).not.toContain('"message"');
    const list = z.array(z.looseObject({ conversions: z.number() }));
    const words = ['metrics', '--account', String(demo.accountId)];
    // one of the visitor at the first page, and the printed one at the other
    const pages = list.parse(await operate(...words, '--by', 'page'));
    expect(pages.map(({ conversions }) => conversions)).toEqual([1, 1]);
  });

  it('npm run operator uses the role of the console, and the owner for schema changes', async () => {
    const findings = await operate('doctor');
    const asRole = { check: 'database', finding: expect.stringContaining('the role is leadback_console') };
    const asUser = {
      check: 'topology',
      state: 'ok',
      finding: expect.stringContaining('operator has no permission to compare'),
    };
    for (const finding of [asRole, asUser]) expect(findings).toContainEqual(expect.objectContaining(finding));
    expect(await operate('lead', 'replay')).toEqual({ replayed: 0, next: null });
    expect(await operate('database', 'migrate')).toEqual({ migrations: [] });
  });

  it('npm start runs each app with the role and the user of production', () => {
    const { pids } = running();
    const users = (['landing', 'api', 'feedback-worker'] as const).map((app) => {
      const environment = readFileSync(`/proc/${pids[app]}/environ`, 'utf8').split('\0');
      const userIn = (name: string) =>
        new URL(environment.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? '').username;
      return [userIn('DATABASE_URL'), userIn('AMQP_URL')];
    });
    expect(users).toEqual([
      ['leadback_landing', 'landing'],
      ['leadback_api', 'api'],
      ['leadback_feedback_worker', 'feedback-worker'],
    ]);
  });

  it('npm start lets nobody else read its folder, its data and its logs', () => {
    const folder = env.LEADBACK_FOLDER ?? '';
    const entries = ['.', ...globSync('**/{*,.*}', { cwd: folder })];
    expect(entries).toContain(join('postgres', 'data', 'PG_VERSION'));
    expect(entries.filter((entry) => (lstatSync(join(folder, entry)).mode & 0o077) !== 0)).toEqual([]);
  });

  it('npm start gives access to its servers only with the passwords in running.json', async () => {
    const { databaseUrl, amqpUrl, operator } = running();
    for (const url of [databaseUrl, operator.databaseUrl, operator.ownerDatabaseUrl]) {
      expect(await asked(url)).toEqual([{ one: 1 }]);
      await expect(asked(without(url))).rejects.toThrow('password');
    }
    for (const url of [amqpUrl, operator.amqpUrl]) {
      await (await connect(url)).close();
      await expect(connect(without(url))).rejects.toThrow('403');
      const { host, pathname } = new URL(url);
      await expect(connect(`amqp://guest:guest@${host}${pathname}`)).rejects.toThrow('403');
    }
  });

  it('npm start runs PostgreSQL without any capability', () => {
    expect(readFileSync(`/proc/${running().pids.postgres}/status`, 'utf8')).toMatch(/^CapAmb:\s+0+$/m);
  });

  it('npm start restarts a killed app and records its new process id', async () => {
    const { api } = running().pids;
    process.kill(api, 'SIGKILL');
    await eventually(() => expect(running().pids.api).not.toBe(api));
    expect((await fetch(`${running().operations.api}/ready`)).status).toBe(200);
  });

  const kinds = ['woocommerce', 'tiendanube', 'mercadopago', 'shopify', 'stripe', 'webhook', 'postback'];

  it('npm start connects a simulated shop of each kind to the account, and again when the sandbox was killed', async () => {
    const { sandbox } = running().pids;
    process.kill(sandbox, 'SIGKILL');
    await eventually(() => expect(running().pids.sandbox).not.toBe(sandbox));
    expect(Object.keys(running().shops).toSorted()).toEqual(kinds.toSorted());
  });

  it.each(kinds)('%s: both platforms are told of the sale of a click, and its refunds adjust it', async (kind) => {
    const { api, shops, demo } = running();
    const clicked = await fetch(`${demo.directPage}?gclid=bought-at-${kind}&fbclid=bought-at-${kind}`, {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0' },
    });
    const landingUrl = clicked.headers.get('location') ?? '';
    const leadReference = new URL(landingUrl).searchParams.get('serviceId');
    const order = { landingUrl, amount: 149.9, currency: 'USD', email: `${kind}@example.com` };
    const { id } = await post(`${shops[kind]}/orders`, order);
    const sale = async (): Promise<unknown> => {
      const headers = { 'x-api-key': demo.apiKey };
      return (await fetch(`${api}/client/conversion?externalReference=${id}`, { headers })).json();
    };
    const delivered = [{ state: 'delivered' }, { state: 'delivered' }];
    const sold = { originalAmount: 149.9, currency: 'USD', clicks: [{ leadReference }], deliveries: delivered };
    await eventually(async () => expect(await sale()).toMatchObject({ ...sold, amount: 149.9 }));
    await post(`${shops[kind]}/orders/${id}/refund`, { amount: 49.9 });
    // what a part that is given back looks like at Tiendanube is not documented
    const restates = kind === 'tiendanube' ? [] : [{ kind: 'restate', amount: 100 }];
    await eventually(async () => expect(await sale()).toMatchObject({ ...sold, adjustments: restates }));
    await post(`${shops[kind]}/orders/${id}/refund`, {});
    const adjustments = [...restates, { kind: 'retract', amount: 0, deliveries: [{}, {}] }];
    await eventually(async () => expect(await sale()).toMatchObject({ ...sold, amount: 0, adjustments }));
  });

  it('npm start leaves no process running when it is stopped', async () => {
    const pids = Object.values(running().pids);
    expect(pids.filter(isAlive)).toEqual(pids);
    const exited = once(start, 'exit');
    start.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(existsSync(runningFile())).toBe(false);
  });

  it('another npm start shows the sale of the first visitor, and adds none', async () => {
    printed = '';
    await startAndWait();
    await eventually(() => expect(printed).toContain('Press Ctrl-C'));
    expect(printed).toMatch(/whose sale counts once:[^]*delivery +meta has received the conversion/);
    const [pages, pageOfVisitor] = [z.array(z.looseObject({ page: z.string(), conversions: z.number() })), 'demo'];
    const words = ['metrics', '--account', String(running().demo.accountId), '--by', 'page'];
    const found = pages.parse(await operate(...words)).find(({ page }) => page === pageOfVisitor);
    expect(found).toMatchObject({ conversions: 1 });
    const exited = once(start, 'exit');
    start.kill('SIGINT');
    await exited;
  });
});
