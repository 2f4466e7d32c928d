import { readFileSync } from 'node:fs';
import { eventually } from '@leadback/testing';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { alertRules, dashboards, promqlNames, scrapedJobs } from '../../deploy/monitoring-files.ts';
import {
  type App,
  apps,
  type Containers,
  docker,
  givenContainers,
  ipOf,
  killWithin,
  tryDocker,
} from '../../support/containers.ts';
import { areDelivered } from '../../support/deliveries.ts';
import { say } from '../../support/long-run.ts';

const testMs = 1_800_000;
const images = [...apps, 'sandbox'] as const;
const megabytes = async (image: string) =>
  Math.round(Number(await docker('image', 'inspect', '--format', '{{.Size}}', image)) / 1e6);

const useImages = async ({ up }: Containers, tag: string): Promise<void> => {
  for (const app of apps) await docker('tag', `leadback-${app}:${tag}`, `leadback-${app}:local`);
  await up(...apps);
};

const rootless = { Uid: '1000', CapEff: '0000000000000000', NoNewPrivs: '1', Seccomp: '2' } as const;

/** Fields of /proc/PID/status. */
const statusOf = (pid: number): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    [...readFileSync(`/proc/${pid}/status`, 'utf8').matchAll(/^(\w+):\s+([^\s]*)/gm)]
      .map(([, name = '', value]) => [name, value] as const)
      .filter(([name]) => name in rootless),
  );

const inside = `const fs = require('node:fs');
  const write = (file) => { try { fs.writeFileSync(file, 'x'); return 'written'; } catch (error) { return error.code; } };
  console.log(JSON.stringify({ app: write('/app/x'), etc: write('/etc/x'), tmp: write('/tmp/x'), memory: process.constrainedMemory() }));`;

const servers = ['postgres:5432', 'rabbitmq:5672'];
const ofWorker = ['feedback-worker:9102', 'console:3004', 'sandbox:3003'];
/** What each app may connect to, besides itself. */
const reached: Readonly<Record<App, readonly string[]>> = {
  landing: [...servers, 'landing:3000', 'landing:9100'],
  api: [...servers, 'api:3001', 'api:9101'],
  'feedback-worker': [...servers, ...ofWorker],
  console: [...servers, ...ofWorker],
};

const open = (places: readonly string[]) => `const { connect } = require('node:net');
  const open = (target) => new Promise((resolve) => {
    const [host, port] = target.split(':');
    const socket = connect(Number(port), host);
    const end = (isOpen) => { socket.destroy(); resolve(isOpen ? [target] : []); };
    setTimeout(() => end(false), 2500);
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
  Promise.all(${JSON.stringify(places)}.map(open)).then((open) => { console.log(JSON.stringify(open.flat())); process.exit(); });`;

const otherKey = Buffer.alloc(32, 7).toString('base64');
const badInputs = [
  { what: 'a missing secret', service: 'api', options: ['--env', 'SECRETS_KEY='], says: /→ at SECRETS_KEY/ },
  {
    what: 'a key of the wrong length',
    service: 'feedback-worker',
    options: ['--env', 'SECRETS_KEY=c2hvcnQ='],
    says: /expected 32 bytes in base64[^]*→ at SECRETS_KEY/,
  },
  ...apps.map((service) => ({
    what: `a key of another installation, in ${service}`,
    service,
    options: ['--env', `SECRETS_KEY=${otherKey}`],
    says: /SECRETS_KEY is not the key of this database/,
  })),
  {
    what: 'a port that is taken',
    service: 'api',
    options: ['--env', 'OPERATIONS_PORT=3001'],
    says: /port 3001 on 0\.0\.0\.0 is in use\. Stop the process .* set PORT or OPERATIONS_PORT/,
  },
  {
    what: 'a volume that it may not write to',
    service: 'landing',
    // a new volume belongs to root
    options: ['--volume', '/leads', '--env', 'LEAD_SPOOL_FOLDER=/leads'],
    says: /cannot write to \/leads \(\w+\)\. Give LEAD_SPOOL_FOLDER to the user/,
  },
] as const;

const prometheusReply = <Data>(data: z.ZodType<Data>) => z.object({ status: z.literal('success'), data });
const targetsSchema = prometheusReply(
  z.object({ activeTargets: z.array(z.object({ labels: z.object({ job: z.string() }), health: z.string() })) }),
);
const rulesSchema = prometheusReply(
  z.object({
    groups: z.array(
      z.object({ rules: z.array(z.object({ name: z.string(), health: z.string(), state: z.string() })) }),
    ),
  }),
);

const createdId = z.object({ id: z.number() });
const sessionSchema = z.object({ csrf: z.string(), person: z.object({}).nullable() });

describe('docker-compose.yml on a container engine', () => {
  let stack: Containers;
  beforeAll(async () => {
    stack = await givenContainers();
    for (const app of images) say(`${app}: ${await megabytes(`leadback-${app}:local`)} MB`);
  }, testMs);
  afterAll(() => stack[Symbol.asyncDispose](), testMs);

  const inApp = (app: string, code: string) => stack.compose('exec', '--no-TTY', app, 'node', '-e', code);

  /** One visitor, from the click to the platforms: the api's responses. */
  const walk = async (): Promise<readonly number[]> => {
    const leadReference = await stack.click();
    const { post } = stack.partner;
    const [entry] = stack.ledger.enter(1);
    if (!entry) throw new Error('the ledger has no entry');
    const clientExternalReference = entry.reference;
    const client = await post('/client', { leadReference, externalReference: clientExternalReference });
    const { status, body } = await post('/client/conversion', { ...entry.conversion, clientExternalReference });
    entry.statuses.push(status);
    entry.ids.push(createdId.parse(body).id);
    await areDelivered(stack.database, [entry]);
    return [client.status, status];
  };

  /** Invites a person, who accepts, and so is signed in. Each request has a connection of its own, so that a balancer chooses. */
  const givenSession = async () => {
    const invited = await stack.operate('user', 'invite', '--email', 'check@example.com', '--role', 'admin');
    const token = new URL(z.object({ url: z.string() }).parse(invited).url).hash.slice(1);
    const address = `${stack.consoleUrl}/api`;
    let cookie = '';
    const own = () => ({ cookie, connection: 'close' });
    const read = async () => sessionSchema.parse(await (await fetch(`${address}/session`, { headers: own() })).json());
    const post = async (path: string, body: object): Promise<unknown> => {
      const { csrf } = await read();
      const headers = {
        ...own(),
        'content-type': 'application/json',
        origin: stack.consoleUrl,
        'x-leadback-csrf': csrf,
      };
      const response = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(response.status).toBe(200);
      cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      return response.json();
    };
    const chosen = await post('/invitation/password', { token, password: 'a password for the test' });
    const secret = Secret.fromBase32(z.object({ secret: z.string() }).parse(chosen).secret);
    await post('/invitation/accept', { token, code: new TOTP({ secret }).generate() });
    return { isKnown: async () => (await read()).person !== null, signOut: () => post('/session/sign-out', {}) };
  };

  it(
    'takes a visitor from the click to the platforms, and serves documentation and SDKs',
    async () => {
      expect(await walk()).toEqual([201, 201]);
      for (const path of ['/docs', '/docs/changelog', '/docs/leadback.py'])
        expect((await fetch(new URL(path, stack.apiUrl))).status).toBe(200);
    },
    testMs,
  );

  it('runs each app as user 1000, without capabilities and new privileges, under seccomp', async () => {
    for (const app of images) expect([app, statusOf((await stack.container(app)).State.Pid)]).toEqual([app, rootless]);
  });

  it('gives each app a read-only root, a writable /tmp, and 512 MB of memory', async () => {
    const wanted = { app: 'EROFS', etc: 'EROFS', tmp: 'written', memory: 512 * 1024 * 1024 };
    for (const app of images) expect([app, JSON.parse(await inApp(app, inside))]).toEqual([app, wanted]);
  });

  it('has health checks that pass, and apps that log JSON with a level in each line', async () => {
    for (const service of [...images, 'postgres', 'rabbitmq'])
      expect((await stack.container(service)).State.Health?.Status).toBe('healthy');
    const lines = (await stack.logs()).split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) z.object({ level: z.string(), msg: z.string() }).parse(JSON.parse(line));
  });

  it.each(apps)('lets %s reach what it needs and nothing else', async (app) => {
    const everything = [...new Set(Object.values(reached).flat())];
    expect(JSON.parse(await inApp(app, open(everything)))).toEqual(
      everything.filter((one) => reached[app].includes(one)),
    );
  });

  it('lets landing reach the others by their addresses neither', async () => {
    const others = ['api:9101', ...ofWorker].map((target) => target.split(':'));
    const found = others.map(async ([service = '', port]) => `${ipOf(await stack.container(service))}:${port}`);
    expect(JSON.parse(await inApp('landing', open(await Promise.all(found))))).toEqual([]);
  });

  it('publishes ports of this machine alone', async () => {
    const publishers = z.array(z.object({ URL: z.string(), PublishedPort: z.number() })).nullish();
    const lines = (await stack.compose('ps', '--format', 'json')).trim().split('\n');
    const all = lines.flatMap((line) => z.object({ Publishers: publishers }).parse(JSON.parse(line)).Publishers ?? []);
    const published = all.filter(({ PublishedPort }) => PublishedPort > 0);
    expect(new Set(published.map((one) => one.URL))).toEqual(new Set(['127.0.0.1']));
  });

  // not the sandbox, which would forget what it has received
  it.each(apps)('stops %s within 10 s with status 0', async (app) => {
    const start = performance.now();
    await stack.compose('stop', app);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect((await stack.container(app)).State.ExitCode).toBe(0);
    await stack.up(app);
  });

  /** Runs a container that must end by itself. */
  const ended = async (service: string, options: readonly string[]) => {
    const name = `leadback-containers-bad-${service}`;
    const words = ['run', '--name', name, '--rm', '--no-TTY', '--no-deps', ...options, service];
    const timer = setTimeout(() => void tryDocker('rm', '--force', name), 60_000);
    const { status, output } = await stack.tryCompose(...words);
    clearTimeout(timer);
    return { status, output };
  };

  it.each(badInputs)('ends the container with what to do, for $what', async ({ service, options, says }) => {
    expect(await ended(service, options)).toEqual({ status: 1, output: expect.stringMatching(says) });
  });

  it(
    'ends each app with what to do if its database has no tables',
    async () => {
      await stack.database.pool.query('create database empty');
      for (const app of apps) {
        const password = stack.passwords[`LEADBACK_${app.toUpperCase().replace('-', '_')}`];
        const url = `postgres://leadback_${app.replace('-', '_')}:${password}@postgres:5432/empty`;
        const says = expect.stringMatching(/the database is not migrated .*Run `database migrate`/);
        expect(await ended(app, ['--env', `DATABASE_URL=${url}`])).toEqual({ status: 1, output: says });
      }
    },
    testMs,
  );

  it('names a missing key and the script that generates it', async () => {
    const { status, output } = await tryDocker('compose', '--env-file', '/dev/null', 'config');
    expect(status).not.toBe(0);
    expect(output).toContain('run sh deploy/compose/new-env.sh DOMAIN');
  });

  it(
    'loses and doubles nothing when each container is killed under load, and starts it again',
    async () => {
      // not the sandbox. The worker first: its leases end while others are killed
      const killed = ['feedback-worker', 'landing', 'api', 'console', 'rabbitmq', 'postgres'];
      expect(await stack.violationsAfterKills(killed)).toEqual([]);
    },
    testMs,
  );

  it('has a Prometheus that reaches every app, and evaluates all alerts and dashboards without an alert', async () => {
    const ask = async (path: string, query: Record<string, string> = {}): Promise<unknown> => {
      const response = await fetch(`${stack.prometheusUrl}/api/v1/${path}?${new URLSearchParams(query).toString()}`);
      expect([response.status, query]).toEqual([200, query]);
      return response.json();
    };
    await stack.compose('--profile', 'watch', 'up', '--detach', 'prometheus');
    await eventually(async () => {
      const { activeTargets } = targetsSchema.parse(await ask('targets')).data;
      const up = activeTargets.filter(({ health }) => health === 'up').map(({ labels }) => labels.job);
      expect(up).toEqual(expect.arrayContaining(scrapedJobs()));
    });
    await eventually(async () => {
      const rules = rulesSchema.parse(await ask('rules')).data.groups.flatMap((group) => group.rules);
      expect(rules).toHaveLength(alertRules().length);
      expect(rules.filter(({ health, state }) => health !== 'ok' || state === 'firing')).toEqual([]);
    });
    const queries = dashboards().flatMap(({ panels }) =>
      panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    );
    for (const query of queries) await ask('query', { query });
    const named = [...queries, ...alertRules().map(({ expr }) => expr)]
      .flatMap(promqlNames)
      .map(({ metric }) => metric);
    const known = prometheusReply(z.array(z.string())).parse(await ask('label/__name__/values')).data;
    expect([...new Set(named)].filter((name) => name !== '' && name !== 'ALERTS' && !known.includes(name))).toEqual([]);
  });

  it(
    'runs with images without Debian: each has at most 170 MB and no shell',
    async () => {
      for (const app of images) {
        const args = [
          '--build-arg',
          `APP=${app === 'sandbox' ? 'platform-sandbox' : app}`,
          '--build-arg',
          'BASE=minimal',
        ];
        await docker('build', '--quiet', ...args, '--tag', `leadback-${app}:minimal`, '.');
        expect(await megabytes(`leadback-${app}:minimal`)).toBeLessThanOrEqual(170);
      }
      for (const app of apps) await docker('tag', `leadback-${app}:local`, `leadback-${app}:standard`);
      try {
        await useImages(stack, 'minimal');
        expect(await stack.tryCompose('exec', '--no-TTY', 'api', 'sh', '-c', 'true')).not.toMatchObject({ status: 0 });
        expect(await walk()).toEqual([201, 201]);
      } finally {
        await useImages(stack, 'standard');
      }
    },
    testMs,
  );

  describe('with several instances of each app behind HAProxy', () => {
    // the worker first: its leases end while the others are killed and stopped
    const working = ['feedback-worker', 'landing', 'api'] as const;
    beforeAll(async () => {
      stack.use('scale');
      await stack.up();
    }, testMs);

    it('takes a visitor through the balancer to the platforms', async () => expect(await walk()).toEqual([201, 201]));

    it('knows the sessions of the console at both instances, and ends them at both', async () => {
      const { isKnown, signOut } = await givenSession();
      const ask = async () => new Set(await Promise.all(Array.from({ length: 20 }, isKnown)));
      expect(await ask()).toEqual(new Set([true]));
      await signOut();
      expect(await ask()).toEqual(new Set([false]));
    });

    it('limits the rate of a key at each instance', async () => {
      const [perSecond, burst] = [5, 10];
      const account = createdId.extend({ id: z.coerce.number() });
      const created = await stack.operate('account', 'create', '--name', 'Limited', '--rate-limit', String(perSecond));
      const its = ['--account', String(account.parse(created).id), '--name', 'limited'];
      const { key } = z.object({ key: z.string() }).parse(await stack.operate('key', 'issue', ...its));
      const start = performance.now();
      const headers = { 'x-api-key': key };
      const replies = Array.from({ length: 120 }, async () => (await fetch(stack.apiUrl, { headers })).status);
      const served = (await Promise.all(replies)).filter((status) => status !== 429).length;
      const seconds = Math.ceil((performance.now() - start) / 1_000);
      expect(served).toBeGreaterThanOrEqual(burst);
      expect(served).toBeLessThanOrEqual((await stack.containers('api')).length * (burst + perSecond * seconds));
    });

    it(
      'shares the work, goes on when instances are killed, and fails no request while one stops and starts',
      async () => {
        const load = stack.load();
        for (const app of working) {
          await eventually(
            async () => {
              const work = await stack.workOf(app);
              expect([work.length > 1, work.filter((done) => done === 0)]).toEqual([true, []]);
            },
            { timeout: 180_000, interval: 500 },
          );
        }
        for (const app of working) {
          killWithin((await stack.containers(app))[0]);
          await stack.accepts();
        }
        await stack.up('--no-recreate');
        const before = new Set(stack.failed());
        for (const app of working) {
          const { Id } = await stack.container(app);
          await docker('stop', '--time', '60', Id);
          await docker('start', Id);
          await stack.up('--no-recreate', app);
          await stack.accepts();
        }
        expect(stack.failed().filter((one) => !before.has(one))).toEqual([]);
        await load.stop();
        expect(await stack.violations(500)).toEqual([]);
      },
      testMs,
    );
  });
});
