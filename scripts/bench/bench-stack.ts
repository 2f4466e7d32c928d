import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import {
  type LeadbackAppName,
  type LocalBroker,
  type LocalProcess,
  localUrl,
  type Surroundings,
  serversOf,
} from '@leadback/local-stack';
import { Pool } from 'pg';
import { operatorEnvironment } from '../start/operator.ts';
import type { Checkout } from './checkout.ts';
import { postgresSettings } from './postgres-settings.ts';
import { say } from './say.ts';

/** Environment variables of apps. */
export type AppSettings = Readonly<Record<string, string>>;

export interface BenchStack {
  readonly pool: Pool;
  readonly databaseUrl: string;
  readonly secretsKey: string;
  readonly landingUrl: string;
  readonly apiUrl: string;
  readonly consoleUrl: string;
  readonly sandboxUrl: string;
  /** Process ids of the servers. */
  readonly servers: Readonly<Record<'RabbitMQ' | 'PostgreSQL', number>>;
  readonly startApp: (name: LeadbackAppName, settings?: AppSettings) => Promise<LocalProcess>;
  /** Runs an operator command, its words separated by single spaces, and returns its JSON output. */
  readonly operator: (line: string) => Promise<unknown>;
  /** Ends it together with the servers. */
  readonly use: <Started extends AsyncDisposable>(started: Started) => Started;
}

export interface StackOptions {
  /** Where the apps are: bundled as in their images, or the checkout itself. */
  readonly apps: string;
  /** Shared by all stacks, each with a virtual host of its own: another RabbitMQ would take eight seconds. */
  readonly broker: LocalBroker;
  /** URLs of modules that an app loads before its own. */
  readonly imports?: readonly string[];
  readonly settings?: AppSettings;
}

const execute = promisify(execFile);
const unlimited = { CONNECTIONS_PER_ADDRESS: '0', LEAD_RATE: '1000000', LEAD_BURST: '1000000' };

/** Starts a RabbitMQ of the checkout, with data on disk as in production. */
export const startBroker = async ({ localStack }: Checkout, ending: AsyncDisposableStack): Promise<LocalBroker> => {
  const dir = mkdtempSync(join(tmpdir(), 'leadback-bench-rabbitmq-'));
  ending.defer(() => localStack.forgetServer(dir));
  return ending.use(await localStack.startRabbitmq({ dir, log: say }));
};

/** An empty PostgreSQL with data on disk as in production, migrated by the checkout, and apps that it can start. */
export const benchStack = async (
  { localStack }: Checkout,
  { apps, broker, imports = [], settings }: StackOptions,
  ending: AsyncDisposableStack,
): Promise<BenchStack> => {
  const folder = mkdtempSync(join(tmpdir(), 'leadback-bench-'));
  const dir = join(folder, 'postgres');
  ending.defer(async () => {
    await localStack.forgetServer(dir);
    rmSync(folder, { recursive: true, force: true });
  });
  const [postgres, amqpUrl, ports] = await Promise.all([
    localStack.startPostgres({ dir, settings: postgresSettings, log: say }),
    broker.addVirtualHost(basename(folder)),
    Promise.all(Array.from({ length: 8 }, localStack.freePort)),
  ]);
  ending.use(postgres);

  const [landing = 0, api = 0, sandbox = 0, console = 0, ofLanding = 0, ofApi = 0, ofWorker = 0, ofConsole = 0] = ports;
  const operations = { landing: ofLanding, api: ofApi, 'feedback-worker': ofWorker, console: ofConsole };
  const secretsKey = randomBytes(32).toString('base64');
  const around: Surroundings = {
    root: apps,
    imports,
    databaseUrl: postgres.url,
    amqpUrl,
    secretsKey,
    logFolder: folder,
    leadSpoolFolder: join(folder, 'leads'),
    ports: { landing, api, sandbox, console, operations },
    // earlier versions start apps without NODE_ENV; all load comes from one address
    settings: { NODE_ENV: 'production', ...unlimited, ...settings },
  };
  const env = operatorEnvironment({
    databaseUrl: postgres.url,
    secretsKey,
    landingUrl: localUrl(landing),
    consoleUrl: localUrl(console),
  });
  const operator = async (line: string): Promise<unknown> => {
    const main = join(apps, 'apps/operator/src/main.ts');
    const { stdout } = await execute(process.execPath, [main, ...line.split(' '), '--json'], { env });
    return JSON.parse(stdout);
  };
  await operator('database migrate');
  const pool = new Pool({ connectionString: postgres.url, application_name: 'bench' });
  ending.defer(() => pool.end());

  return {
    pool,
    databaseUrl: postgres.url,
    secretsKey,
    landingUrl: localUrl(landing),
    apiUrl: `${localUrl(api)}/api/v1`,
    consoleUrl: localUrl(console),
    sandboxUrl: localUrl(sandbox),
    servers: { RabbitMQ: broker.pid, PostgreSQL: postgres.pid },
    startApp: async (name, own) => {
      const ofApp = { ...around, ...serversOf(name, around), settings: { ...around.settings, ...own } };
      return ending.use(await localStack.startLeadbackApp(name, ofApp));
    },
    operator,
    use: (started) => ending.use(started),
  };
};
