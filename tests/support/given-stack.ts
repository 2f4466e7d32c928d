import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { givenDatabase, givenVirtualHost, secretsKey, type TestDatabase } from '@leadback/testing';
import {
  freePort,
  type LeadbackAppName,
  type LocalBroker,
  type LocalProcess,
  localUrl,
  type Surroundings,
  serversOf,
  startLeadbackApp,
} from '@leadback/testing/stack';
import { inject } from 'vitest';
import { type Footprint, footprintIn } from './metrics.ts';
import { isBundled } from './main-of.ts';
import { sandboxAt } from './sandbox.ts';

type ObservedApp = keyof Surroundings['ports']['operations'];

export interface RunningApp extends LocalProcess {
  /** The text of its metrics; empty for the sandbox. */
  readonly metrics: () => Promise<string>;
  /** The footprint right after the start. */
  readonly atStart: Footprint;
}

export interface TestStack extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly broker: Pick<LocalBroker, 'url'>;
  readonly leadSpoolFolder: string;
  readonly landingUrl: string;
  readonly apiUrl: string;
  readonly consoleUrl: string;
  readonly sandbox: ReturnType<typeof sandboxAt>;
  /** The running apps. */
  running(): readonly RunningApp[];
  metricsOf(name: ObservedApp): Promise<string>;
  /** The log of all apps of this name. */
  logOf(name: ObservedApp): Promise<string>;
  /** How often a text is in that log. */
  timesLogged(name: ObservedApp, words: string): Promise<number>;
  /** The logs and metrics of all apps. */
  logsAndMetrics(): Promise<string>;
  /** Kills all running apps of this name. */
  kill(name: ObservedApp): Promise<void>;
  /** Starts an app as a process; `other` overrides its surroundings. */
  start(name: LeadbackAppName, other?: Partial<Surroundings>): Promise<RunningApp>;
}

const root = join(import.meta.dirname, '..', '..');
const measuredAt = async (operationsPort: number) => (await fetch(`${localUrl(operationsPort)}/metrics`)).text();
// all visitors of a test have one address, and the oracle asks for every event
const noLimits = { LEAD_RATE: '100000', LEAD_BURST: '100000', EVENTS_MAX: '1000000' };
const observedApps = ['landing', 'api', 'feedback-worker'] as const;

/** Free ports for one more instance of each app. */
export const givenPorts = async (): Promise<Surroundings['ports']> => {
  const ports = await Promise.all(Array.from({ length: 8 }, freePort));
  const [landing = 0, api = 0, sandbox = 0, console = 0, ofLanding = 0, ofApi = 0, ofWorker = 0, ofConsole = 0] = ports;
  const operations = { landing: ofLanding, api: ofApi, 'feedback-worker': ofWorker, console: ofConsole };
  return { landing, api, sandbox, console, operations };
};

/** One RabbitMQ, or an address for several. */
type OwnBroker = AsyncDisposable & Pick<LocalBroker, 'url'>;

/**
 * A database, a broker and the sandbox; the test starts the apps. All of it is disposed with the stack. Tests that break
 * the broker or PostgreSQL must pass their own; the others share one.
 */
export const givenStack = async (ownBroker?: OwnBroker, ownDatabase?: TestDatabase): Promise<TestStack> => {
  const processes = new AsyncDisposableStack();
  const running = new Set<RunningApp>();
  const [database, amqpUrl, ports] = await Promise.all([
    ownDatabase ?? givenDatabase(),
    ownBroker?.url ?? givenVirtualHost(),
    givenPorts(),
  ]);
  const around: Surroundings = {
    root,
    databaseUrl: database.url,
    amqpUrl,
    secretsKey: secretsKey.toString('base64'),
    leadSpoolFolder: await mkdtemp(join(inject('temporaryFolder'), 'spool-')),
    logFolder: await mkdtemp(join(inject('temporaryFolder'), 'logs-')),
    isBundled,
    ports,
  };
  const start: TestStack['start'] = async (name, other) => {
    const given = { ...around, ...other };
    const its = { ...given, ...serversOf(name, given), settings: { ...noLimits, ...given.settings } };
    const started = processes.use(await startLeadbackApp(name, its));
    const metrics = async () => (name === 'sandbox' ? '' : measuredAt(its.ports.operations[name]));
    const app = { ...started, metrics, atStart: footprintIn(await metrics()) };
    running.add(app);
    void app.exited.then(() => running.delete(app));
    return app;
  };
  await start('sandbox');
  const metricsOf: TestStack['metricsOf'] = (name) => measuredAt(ports.operations[name]);
  const logOf: TestStack['logOf'] = (name) => readFile(join(around.logFolder, `${name}.log`), 'utf8');
  return {
    database,
    broker: { url: amqpUrl },
    leadSpoolFolder: around.leadSpoolFolder,
    landingUrl: localUrl(ports.landing),
    apiUrl: `${localUrl(ports.api)}/api/v1`,
    consoleUrl: localUrl(ports.console),
    sandbox: sandboxAt(localUrl(ports.sandbox)),
    running: () => [...running],
    kill: async (name) => {
      await Promise.all([...running].filter((app) => app.name === name).map((app) => app.kill()));
    },
    metricsOf,
    logOf,
    // there is no log before the first start
    timesLogged: async (name, words) => (await logOf(name).catch(() => '')).split(words).length - 1,
    logsAndMetrics: async () =>
      (await Promise.all(observedApps.flatMap((name) => [logOf(name), metricsOf(name)]))).join('\n'),
    start,
    async [Symbol.asyncDispose]() {
      await processes.disposeAsync();
      await Promise.all([ownBroker?.[Symbol.asyncDispose](), database[Symbol.asyncDispose]()]);
    },
  };
};
