import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { codeAt, type ConsolePerson, nextCode, givenAdmin, type DemoAccount } from '../start/demo.ts';
import { addresses, givenWalker, walk, administratorOf } from './load.ts';
import type { Facts } from '../../tests/support/oracle.ts';
import type { Report } from './report.ts';
import type { ComposeStack } from './stack.ts';
import { root } from '../start/data-folder.ts';

const sessionSchema = z.object({ csrf: z.string(), person: z.object({}).nullable() });

interface ConsoleSession {
  /** Whether the console knows the session, at an instance that the balancer chooses. */
  readonly isKnown: () => Promise<boolean>;
  readonly signOut: () => Promise<void>;
}

/** Signs in to the console and keeps its cookie, as a browser does. */
export const consoleSession = async (
  url: string,
  { email, password, secondFactor }: ConsolePerson,
): Promise<ConsoleSession> => {
  let cookie = '';
  // a connection for each request, so that the balancer chooses each time
  const own = () => ({ cookie, connection: 'close' });
  const read = async () => sessionSchema.parse(await (await fetch(`${url}/api/session`, { headers: own() })).json());
  const post = async (path: string, body: object): Promise<Response> => {
    const { csrf } = await read();
    const asPage = { 'content-type': 'application/json', origin: new URL(url).origin, 'x-leadback-csrf': csrf };
    return fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { ...own(), ...asPage },
      body: JSON.stringify(body),
    });
  };
  for (const code of [codeAt(secondFactor, Date.now()), nextCode(secondFactor)]) {
    const response = await post('/session/sign-in', { email, password, code });
    if (!response.ok) continue;
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return {
      isKnown: async () => (await read()).person !== null,
      signOut: async () => void (await post('/session/sign-out', {})),
    };
  }
  throw new Error('the console refused the sign-in');
};

/** What later checks need of a running stack. */
export interface RunningStack {
  readonly demo: DemoAccount;
  /** The connections of its account. */
  readonly connections: readonly number[];
  /** The conversions that were requested so far, but for a load that is running. */
  readonly requested: Facts['entries'][number][];
}

const idsSchema = z.array(z.object({ id: z.coerce.number() }));

const connectionsOf = async (stack: ComposeStack, accountId: number): Promise<number[]> => {
  await using database = await administratorOf(stack);
  const { rows } = await database.pool.query(
    `select id from platform_connection where account_id = $1 and platform <> 'webhook' order by id`,
    [accountId],
  );
  return idsSchema.parse(rows).map(({ id }) => id);
};

/** Makes an account in a stack that runs. */
const useStack = async (stack: ComposeStack): Promise<RunningStack> => {
  const demo = await givenWalker(stack.operate);
  return { demo, connections: await connectionsOf(stack, demo.accountId), requested: [] };
};

/** Walks one visitor through, and remembers the conversion for the oracle. */
export const walkThrough = async (running: RunningStack, say: Report['say']): Promise<string> => {
  const { id, order } = await walk(running.demo, (text) => say(`  ${text}`));
  running.requested.push({ reference: order, connections: running.connections, statuses: [201], ids: [id] });
  return `conversion ${id}`;
};

/** Starts docker-compose.yml, unchanged, and uses it. Throws if it does not start. */
export const checkStart = async (stack: ComposeStack, { check, begin, say }: Report): Promise<RunningStack> => {
  begin('compose');
  const isUp = await check('docker compose up -d --wait starts everything, and all are healthy', async () => {
    await stack.compose('up', '--detach', '--wait', '--wait-timeout', '120');
  });
  if (!isUp)
    throw new Error(`docker compose does not start it:\n${(await stack.tryCompose('logs', '--tail', '15')).output}`);
  const running = await useStack(stack);
  await check('one visitor goes from the click to the sandbox', () => walkThrough(running, say));
  await check('a person accepts an invitation and signs in to the console', async () => {
    const person = await givenAdmin(stack.operate, addresses.console, 'check@example.com');
    const { isKnown } = await consoleSession(addresses.console, person);
    if (!(await isKnown())) throw new Error('the console does not know the session');
  });
  await check('the API serves its documentation and the SDKs', async () => {
    for (const path of ['/docs', '/docs/changelog', '/docs/leadback.py']) {
      const { ok, status } = await fetch(new URL(path, addresses.api));
      if (!ok) throw new Error(`${path} got ${status}`);
    }
  });
  return running;
};

const apps = ['landing', 'api', 'feedback-worker', 'console', 'sandbox'] as const;
const memoryMb = 512;
const rootless = { Uid: '1000', CapEff: '0000000000000000', NoNewPrivs: '1', Seccomp: '2' } as const;

/** The fields of /proc/PID/status. */
const statusOf = (pid: number): ReadonlyMap<string, string> =>
  new Map(
    readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .map((line) => line.split(/:\s+/))
      .map(([name = '', value = '']) => [name, value.split('\t')[0] ?? '']),
  );

/** Runs JavaScript in the container of an app, and returns what it prints. */
const inApp = ({ compose }: ComposeStack, app: string, code: string): Promise<string> =>
  compose('exec', '--no-TTY', app, 'node', '-e', code);

const insideSchema = z.object({ app: z.string(), etc: z.string(), tmp: z.string(), memory: z.number() });
const inside = `const fs = require('node:fs');
  const write = (file) => { try { fs.writeFileSync(file, 'x'); return 'written'; } catch (error) { return error.code; } };
  console.log(JSON.stringify({ app: write('/app/x'), etc: write('/etc/x'), tmp: write('/tmp/x'), memory: process.constrainedMemory() }));`;

/** Looks at the processes themselves, not at what the file says about them. */
export const checkHardening = async (stack: ComposeStack, { check }: Report): Promise<void> => {
  await check('each app runs as user 1000, without capabilities and new privileges, under seccomp', async () => {
    for (const app of apps) {
      const { State } = await stack.container(app);
      const status = statusOf(State.Pid);
      for (const [name, wanted] of Object.entries(rootless)) {
        if (status.get(name) !== wanted) throw new Error(`${app}: ${name} is ${status.get(name)}, not ${wanted}`);
      }
    }
  });
  await check(`each app has a read-only root, a writable /tmp, and ${memoryMb} MB of memory`, async () => {
    for (const app of apps) {
      const seen = insideSchema.parse(JSON.parse(await inApp(stack, app, inside)));
      const wanted = { app: 'EROFS', etc: 'EROFS', tmp: 'written', memory: memoryMb * 1024 * 1024 };
      if (JSON.stringify(seen) !== JSON.stringify(wanted)) throw new Error(`${app}: ${JSON.stringify(seen)}`);
    }
  });
  await check('health checks of all containers pass', async () => {
    for (const service of [...apps, 'postgres', 'rabbitmq']) {
      const { State } = await stack.container(service);
      if (State.Health?.Status !== 'healthy') throw new Error(`${service} is ${State.Health?.Status}`);
    }
  });
  await check('each line that the apps log is JSON with a level', async () => {
    const text = await stack.logs(...apps.filter((app) => app !== 'sandbox'));
    const lines = text.split('\n').filter((line) => line !== '');
    const line = z.object({ level: z.string(), msg: z.string() });
    const wrong = lines.filter((one) => {
      try {
        return !line.safeParse(JSON.parse(one)).success;
      } catch {
        return true;
      }
    });
    if (lines.length === 0 || wrong.length > 0) throw new Error(`${wrong.length} of ${lines.length}: ${wrong[0]}`);
    return `${lines.length} lines`;
  });
};

const servers = ['postgres:5432', 'rabbitmq:5672'];
const targets = {
  landing: 'landing:3000',
  landingOperations: 'landing:9100',
  api: 'api:3001',
  apiOperations: 'api:9101',
  workerOperations: 'feedback-worker:9102',
  console: 'console:3004',
  sandbox: 'sandbox:3003',
} as const;
const all = [...servers, ...Object.values(targets)];

/** What each app may connect to, besides itself. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  landing: [...servers, targets.landing, targets.landingOperations],
  api: [...servers, targets.api, targets.apiOperations],
  'feedback-worker': [...servers, targets.workerOperations, targets.console, targets.sandbox],
  console: [...servers, targets.workerOperations, targets.console, targets.sandbox],
};

const reachable = (places: readonly string[]) => `const { connect } = require('node:net');
  const open = (target) => new Promise((resolve) => {
    const [host, port] = target.split(':');
    const socket = connect(Number(port), host);
    const end = (isOpen) => { socket.destroy(); resolve(isOpen ? [target] : []); };
    setTimeout(() => end(false), 2500);
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
  Promise.all(${JSON.stringify(places)}.map(open)).then((open) => { console.log(JSON.stringify(open.flat())); process.exit(); });`;

const list = z.array(z.string());

/** The address of a service's container in one of its networks. */
const ipOf = async (stack: ComposeStack, target: string): Promise<string> => {
  const [service = '', port] = target.split(':');
  const { NetworkSettings } = await stack.container(service);
  const [network] = Object.values(NetworkSettings.Networks);
  return `${network?.IPAddress}:${port}`;
};

/** Connects from each app to everything that there is. */
export const checkNetworks = async (stack: ComposeStack, { check }: Report): Promise<void> => {
  for (const [app, wanted] of Object.entries(allowed)) {
    await check(`${app} reaches what it needs and nothing else`, async () => {
      const seen = list.parse(JSON.parse(await inApp(stack, app, reachable(all))));
      const missing = wanted.filter((target) => !seen.includes(target));
      const more = seen.filter((target) => !wanted.includes(target));
      if (missing.length + more.length > 0) throw new Error(`missing ${missing.join()}, not allowed ${more.join()}`);
      return seen.join(', ');
    });
  }
  await check('landing does not reach the others by their addresses either', async () => {
    const others = [targets.apiOperations, targets.workerOperations, targets.console, targets.sandbox];
    const ips = await Promise.all(others.map((target) => ipOf(stack, target)));
    const seen = list.parse(JSON.parse(await inApp(stack, 'landing', reachable(ips))));
    if (seen.length > 0) throw new Error(`it reaches ${seen.join()}`);
  });
  await check('only ports of this machine are published, for it alone', async () => {
    const published = z.array(
      z.object({ Publishers: z.array(z.object({ URL: z.string(), PublishedPort: z.number() })).nullish() }),
    );
    const text = await stack.compose('ps', '--format', 'json');
    const containers = published.parse(
      text
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    );
    const open = containers
      .flatMap(({ Publishers }) => Publishers ?? [])
      .filter(({ PublishedPort }) => PublishedPort > 0);
    const wrong = open.filter(({ URL: host }) => host !== '127.0.0.1');
    if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
    return open.map(({ PublishedPort }) => PublishedPort).join(', ');
  });
};

const stopMaxSeconds = 10;
// not the sandbox, which would forget what it has received
const stopped = apps.filter((app) => app !== 'sandbox');

/** Stops each app, looks at its status, and starts it again. */
export const checkStops = async (stack: ComposeStack, { check }: Report): Promise<void> => {
  await check(`each app stops within ${stopMaxSeconds} s with status 0`, async () => {
    const seen: string[] = [];
    for (const app of stopped) {
      const start = performance.now();
      await stack.compose('stop', app);
      const seconds = (performance.now() - start) / 1_000;
      const { State } = await stack.container(app);
      seen.push(`${app} ${seconds.toFixed(1)} s`);
      if (State.ExitCode !== 0 || seconds > stopMaxSeconds) throw new Error(`${seen.at(-1)}, status ${State.ExitCode}`);
    }
    await stack.compose('up', '--detach', '--wait', '--no-recreate');
    return seen.join(', ');
  });
};

/** A container that must end by itself, with status 1 and a sentence that says what to do. */
interface BadInput {
  readonly what: string;
  readonly service: string;
  /** Options of `docker compose run`. */
  readonly options: readonly string[];
  readonly sentence: RegExp;
}

const configuredApps = ['landing', 'api', 'feedback-worker', 'console'] as const;
const endMaxSeconds = 30;
const emptyDatabase = 'empty';

const badInputs = ({ settings }: ComposeStack): readonly BadInput[] => [
  { what: 'a missing secret', service: 'api', options: ['--env', 'SECRETS_KEY='], sentence: /→ at SECRETS_KEY/ },
  {
    what: 'a key of the wrong length',
    service: 'feedback-worker',
    options: ['--env', 'SECRETS_KEY=c2hvcnQ='],
    sentence: /expected 32 bytes in base64[^]*→ at SECRETS_KEY/,
  },
  ...configuredApps.map((service) => ({
    what: `a key of another installation (${service})`,
    service,
    options: ['--env', `SECRETS_KEY=${Buffer.alloc(32, 7).toString('base64')}`],
    sentence: /SECRETS_KEY is not the key of this database[^"]*/,
  })),
  ...configuredApps.map((service) => {
    const name = service.replace('-', '_');
    const user = `leadback_${name}:${settings[`LEADBACK_${name.toUpperCase()}_PASSWORD`]}`;
    return {
      what: `a database without tables (${service})`,
      service,
      options: ['--env', `DATABASE_URL=postgres://${user}@postgres:5432/${emptyDatabase}`],
      sentence: /the database is not migrated .*Run `database migrate`/,
    };
  }),
  {
    what: 'a port that is taken',
    service: 'api',
    options: ['--env', 'OPERATIONS_PORT=3001'],
    sentence: /port 3001 on 0\.0\.0\.0 is in use\. Stop the process .* set PORT or OPERATIONS_PORT/,
  },
  {
    what: 'a volume that it may not write to',
    service: 'landing',
    // a new volume belongs to root
    options: ['--volume', '/leads', '--env', 'LEAD_SPOOL_FOLDER=/leads'],
    sentence: /cannot write to \/leads \(\w+\)\. Give LEAD_SPOOL_FOLDER to the user/,
  },
];

/** Starts containers with mistakes that happen at a first deployment. */
export const checkBadInput = async (stack: ComposeStack, { check, begin }: Report): Promise<void> => {
  begin('bad input');
  const sql = ['exec', '--no-TTY', 'postgres', 'psql', '--username=postgres', '--quiet', '--command'];
  await stack.compose(...sql, `create database ${emptyDatabase}`);
  for (const { what, service, options, sentence } of badInputs(stack)) {
    await check(`${what} ends the container with what to do`, async () => {
      const run = ['run', '--rm', '--no-TTY', '--no-deps', ...options, service];
      const name = `leadback-deploy-check-bad-${service}`;
      const ended = stack.tryCompose(...run.toSpliced(1, 0, '--name', name));
      const timer = setTimeout(() => void stack.engine.tryDocker('rm', '--force', name), endMaxSeconds * 1_000);
      const { status, output } = await ended;
      clearTimeout(timer);
      const said = sentence.exec(output)?.[0];
      if (status !== 1 || said === undefined) throw new Error(`status ${status}: ${output.slice(-500)}`);
      return said.replaceAll(/\s+/g, ' ').slice(0, 160);
    });
  }
  await check('docker compose names a missing secret and the script that generates it', async () => {
    const file = ['--file', join(root, 'docker-compose.yml'), '--env-file', '/dev/null'];
    const { status, output } = await stack.engine.tryDocker('compose', ...file, 'config');
    if (status === 0 || !output.includes('sh deploy/compose/new-env.sh prints a line for it')) throw new Error(output);
  });
};
