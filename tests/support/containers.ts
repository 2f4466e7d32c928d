import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@leadback/db';
import { eventually, givenLandingPage, secretsKey, type TestDatabase, unique } from '@leadback/testing';
import { expect, inject } from 'vitest';
import { z } from 'zod';
import { givenLedger } from './ledger.ts';
import { metricDifferences } from '../../packages/core/test/metric-differences.ts';
import { sumIn } from './metrics.ts';
import { violationsIn } from './oracle.ts';
import { qualityDifferences } from '../../packages/core/test/quality-differences.ts';
import { sandboxAt } from './sandbox.ts';
import { say, since } from './long-run.ts';
import { storedFacts } from './facts.ts';

const root = join(import.meta.dirname, '..', '..');
/** The name of the project in Docker Compose: `npm run test:long` takes it down if a test was interrupted. */
const project = 'leadback-containers';

interface Ended {
  readonly status: number;
  readonly stdout: string;
  /** Standard output and standard error, in the order in which they came. */
  readonly output: string;
}

const runIn = async (cwd: string, file: string, ...args: readonly string[]): Promise<Ended> => {
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, output] = ['', ''];
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString();
    output += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    output += text.toString();
  });
  const [status]: unknown[] = await once(child, 'close');
  return { status: Number(status ?? 1), stdout, output };
};

export const tryDocker = (...args: readonly string[]): Promise<Ended> => runIn(root, 'docker', ...args);

/** The standard output of docker. Throws with the end of its output if it fails. */
export const docker = async (...args: readonly string[]): Promise<string> => {
  const { status, stdout, output } = await tryDocker(...args);
  if (status === 0) return stdout;
  throw new Error(`docker ${args.slice(0, 3).join(' ')} … ended with status ${status}:\n${output.slice(-3_000)}`);
};

const containerSchema = z.object({
  Id: z.string(),
  RestartCount: z.number(),
  State: z.object({
    Status: z.string(),
    Pid: z.number(),
    ExitCode: z.number(),
    Health: z.object({ Status: z.string() }).optional(),
  }),
  NetworkSettings: z.object({ Networks: z.record(z.string(), z.object({ IPAddress: z.string() })) }),
});
export type Container = z.infer<typeof containerSchema>;

/** Kills what runs in a container, as a crash or the kernel would. Not docker kill, after which Docker would leave it stopped. */
export const killWithin = ({ State }: Container): void => void process.kill(State.Pid, 'SIGKILL');

/** Whether it runs and passes its health check, if it has one. */
export const isHealthy = ({ State }: Container): boolean =>
  State.Status === 'running' && (State.Health?.Status ?? 'healthy') === 'healthy';

export const ipOf = ({ NetworkSettings }: Container): string =>
  Object.values(NetworkSettings.Networks)[0]?.IPAddress ?? '';

const operationsPorts = { landing: 9100, api: 9101, 'feedback-worker': 9102, console: 9103 } as const;
export type App = keyof typeof operationsPorts;
export const apps = ['landing', 'api', 'feedback-worker', 'console'] as const satisfies readonly App[];

export const metricsOf = async (app: App, container: Container): Promise<string> =>
  (await fetch(`http://${ipOf(container)}:${operationsPorts[app]}/metrics`)).text();

/** What changes docker-compose.yml: the files of `deploy/compose`. */
type Overlay = 'scale' | 'cluster';

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const queuesSchema = z.array(
  z.object({ name: z.string(), messages: z.number(), members: z.union([z.array(z.string()), z.string()]).optional() }),
);
// leases of killed workers end after two minutes
const drained = { timeout: 240_000, interval: 500 };

const succeed = ({ status, stdout, output }: Ended): string => {
  if (status === 0) return stdout;
  throw new Error(output.slice(-3_000));
};

/** A copy of the files that git knows or would add, with the settings that new-env.sh writes for a domain. */
export const givenClone = async (domain: string, ...words: readonly string[]): Promise<string> => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'clone-'));
  const listed = succeed(await runIn(root, 'git', 'ls-files', '--cached', '--others', '--exclude-standard'));
  const files = listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));
  await Promise.all(files.map((file) => cp(join(root, file), join(folder, file))));
  succeed(await runIn(folder, 'sh', 'deploy/compose/new-env.sh', domain, ...words));
  return folder;
};

/** Settings in .env, which win over those that are there; one of SECRETS_KEY also counts for the keys of the apps. */
export const addSettings = async (folder: string, lines: string): Promise<void> => {
  await writeFile(join(folder, '.env'), lines, { flag: 'a' });
  succeed(await runIn(folder, 'sh', 'deploy/compose/new-env.sh', '--secrets'));
};

/** docker-compose.yml of the repository, unchanged, with new secrets, where a partner and visitors come. Disposing takes it down. */
export const givenContainers = async (first?: Overlay) => {
  const folder = await givenClone('localhost');
  // the key of the tests' own data
  const key = `SECRETS_KEY=${secretsKey.toString('base64')}\n`;
  await addSettings(folder, key + (await readFile(join(root, 'deploy/compose/sandbox.env'), 'utf8')));
  /** By name, such as POSTGRES. */
  const passwords = parseEnv(await readFile(join(folder, 'deploy/compose/secrets/passwords'), 'utf8'));
  let files: readonly string[] = [];
  const use = (overlay?: Overlay): void => {
    const names = ['docker-compose.yml', ...(overlay === undefined ? [] : [`deploy/compose/${overlay}.yml`])];
    files = names.flatMap((name) => ['--file', name]);
  };
  use(first);
  const command = ['compose', '--ansi', 'never', '--project-name', project];
  const words = (args: readonly string[]) => [...command, ...files, ...args];
  const tryCompose = (...args: readonly string[]) => runIn(folder, 'docker', ...words(args));
  const compose = async (...args: readonly string[]) => succeed(await tryCompose(...args));
  const down = async () => void (await tryCompose('--profile', '*', 'down', '--volumes', '--remove-orphans'));
  await down(); // what a killed run has left
  await compose('--profile', '*', 'build', ...apps, 'operator', 'sandbox');
  // again if it fails: on a busy machine, not all containers reach PostgreSQL in time
  const up = (...args: readonly string[]): Promise<void> =>
    eventually(
      async () => {
        const waiting = ['--detach', '--wait', '--wait-timeout', '180', '--no-build'];
        const { status, output } = await tryCompose('up', ...waiting, ...args);
        if (status === 0) return;
        throw new Error(`${output}\n${(await tryCompose('logs', '--no-color', '--tail', '15')).output}`);
      },
      { timeout: 600_000, interval: 1_000 },
    );
  await up();

  const url = `postgres://postgres:${passwords['POSTGRES']}@127.0.0.1:5432/leadback`;
  const opened = await openDatabase({ url, applicationName: 'test', hasNoStatementTimeout: true });
  Object.assign(opened.pool.options, { connectionTimeoutMillis: 0 }); // a busy machine needs longer than an app waits
  const database: TestDatabase = {
    ...opened,
    url,
    ownerUrl: url,
    urlOf: () => url,
    asOwner: (statement, values = []) => opened.pool.query(statement, [...values]),
  };
  const addresses = {
    landingUrl: 'http://127.0.0.1:3000',
    apiUrl: 'http://127.0.0.1:3001/api/v1',
    consoleUrl: 'http://127.0.0.1:3004',
    prometheusUrl: 'http://127.0.0.1:9090',
  };
  const sandbox = sandboxAt('http://127.0.0.1:3003');
  const ledger = await givenLedger({ database, apiUrl: addresses.apiUrl }, 0);
  const partner = await ledger.join();
  const page = await givenLandingPage(database.em(), { account: partner.account, mode: 'direct' });
  const leads: string[] = [];
  const lost: string[] = [];

  /** A click on the page, which redirects at once. Resolves to the lead reference; undefined without a response. */
  const click = async (): Promise<string | undefined> => {
    const clicked = unique('click');
    const options = {
      headers: { 'user-agent': browser },
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    } as const;
    const address = `${addresses.landingUrl}/${page.slug}?gclid=${clicked}&fbclid=${clicked}`;
    const location = (await fetch(address, options).catch(() => undefined))?.headers.get('location');
    const reference = location ? new URL(location).searchParams.get('serviceId') : null;
    if (reference === null) lost.push(clicked);
    else leads.push(reference);
    return reference ?? undefined;
  };

  const containers = async (service: string): Promise<readonly [Container, ...Container[]]> => {
    const ids = (await compose('ps', '--all', '--quiet', service)).trim().split('\n');
    return z.tuple([containerSchema], containerSchema).parse(JSON.parse(await docker('inspect', ...ids)));
  };
  const accepted = () => ledger.entries.filter(({ ids }) => ids.length > 0).length;
  const logs = async () => {
    const all = await Promise.all(apps.map(containers));
    return (await Promise.all(all.flat().map(async ({ Id }) => (await tryDocker('logs', Id)).output))).join('');
  };
  const queues = async () => {
    const list = 'rabbitmqctl --silent --vhost leadback list_queues --formatter json name messages members';
    return queuesSchema.parse(
      JSON.parse(await compose('exec', '--no-TTY', '--user', 'rabbitmq', 'rabbitmq', ...list.split(' '))),
    );
  };
  const count = async (text: string, values: readonly unknown[] = []): Promise<number> =>
    z.tuple([z.object({ count: z.coerce.number() })]).parse((await database.pool.query(text, [...values])).rows)[0]
      .count;

  const stack = {
    ...addresses,
    passwords,
    database,
    ledger,
    partner,
    compose,
    tryCompose,
    click,
    logs,
    queues,
    containers,
    /** The first container of a service. */
    container: async (service: string): Promise<Container> => (await containers(service))[0],
    /** Changes the containers by a file of `deploy/compose`, or back, once they are started again. */
    use,
    /** Starts what does not run, or has changed, and waits until all are healthy. */
    up,
    /** Runs an operator command in its image and returns its JSON output. */
    operate: async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse(await compose('run', '--rm', '--no-TTY', 'operator', ...args, '--json')),
    /** Conversions and clicks without a response, or with another one than was wanted. */
    failed: (): readonly string[] => {
      const refused = ledger.entries.filter(({ statuses }) => statuses.some((status) => status !== 201));
      return [...lost, ...refused.map(({ reference, statuses }) => `${reference}: ${statuses.join()}`)];
    },
    /** Waits until the api accepts conversions of the load. */
    accepts: async (more = 20): Promise<void> => {
      const before = accepted();
      await eventually(() => expect(accepted()).toBeGreaterThan(before + more), { timeout: 180_000 });
    },
    /** Sends conversions and clicks until it is stopped. */
    load: (perSecond = 40, clicksPerSecond = 10) => {
      const conversions = ledger.load(perSecond);
      const over = new AbortController();
      const visiting = (async () => {
        while (!over.signal.aborted) {
          await click();
          await pause(1_000 / clicksPerSecond);
        }
      })();
      return {
        /** Ends the load, and repeats requests without a response that have an idempotency key until each has one. */
        stop: async (): Promise<void> => {
          over.abort();
          await visiting;
          const entries = await conversions.stop();
          await eventually(async () => {
            await ledger.repeat(entries);
            expect(entries.filter(({ isKeyed, ids }) => isKeyed && ids.length === 0)).toEqual([]);
          });
        },
      };
    },
    /**
     * Waits until everything is delivered, then compares what the partner and visitors were told with the database, the queues,
     * the sandbox and the logs: the promises of the oracle that do not hold, and the leads that are lost.
     */
    violations: async (duplicatesMax: number): Promise<string[]> => {
      const pending = `select count(*) from delivery where state = 'pending'`;
      await eventually(async () => expect(await count(pending)).toBe(0), drained);
      const stored = 'select count(distinct reference) from lead where reference = any($1::text[])';
      await eventually(async () => expect(await count(stored, [leads])).toBe(new Set(leads).size), drained);
      await eventually(
        async () => expect((await queues()).filter(({ messages }) => messages > 0)).toEqual([]),
        drained,
      );
      const [facts, events, text, metrics, quality] = await Promise.all([
        storedFacts(database),
        sandbox.events(),
        logs(),
        metricDifferences(database),
        qualityDifferences(database),
      ]);
      const { entries, canaries } = ledger;
      const left = (await queues()).map(({ name, messages }) => ({ queue: name, messages }));
      say(`${accepted()} of ${entries.length} conversions accepted, ${events.length} events, ${leads.length} leads`);
      const seen = { ...facts, entries, canaries, events, queues: left, logs: text, footprints: [] };
      return violationsIn({ ...seen, metricDifferences: [...metrics, ...quality] }, { duplicatesMax });
    },
    /** What each container of an app has counted: requests, or deliveries of workers. */
    workOf: async (app: App): Promise<number[]> => {
      const name =
        app === 'feedback-worker' ? 'leadback_deliveries_settled_total' : 'leadback_http_request_seconds_count';
      return Promise.all((await containers(app)).map(async (one) => sumIn(await metricsOf(app, one), name)));
    },
  };
  return {
    ...stack,
    /** Kills each of these containers under load, waits until Docker has started it again, and returns the violations. */
    violationsAfterKills: async (services: readonly string[]): Promise<string[]> => {
      const load = stack.load();
      for (const service of services) {
        await stack.accepts();
        const killed = await stack.container(service);
        const start = performance.now();
        killWithin(killed);
        await eventually(async () => {
          const now = await stack.container(service);
          expect([now.RestartCount > killed.RestartCount, isHealthy(now)]).toEqual([true, true]);
        });
        say(`${service} was killed, and is healthy after ${since(start)}`);
        await stack.accepts();
      }
      await load.stop();
      return stack.violations(500); // a killed worker repeats what it held
    },
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await down();
    },
  };
};

export type Containers = Awaited<ReturnType<typeof givenContainers>>;
