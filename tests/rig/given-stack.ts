import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { givenBroker, givenDatabase, secretsKey, type TestDatabase } from '@leadback/given';
import {
  freePort,
  type LeadbackAppName,
  type LocalBroker,
  type LocalProcess,
  type Surroundings,
  startLeadbackApp,
} from '@leadback/local-stack';
import { inject } from 'vitest';
import { sandboxAt } from './sandbox.ts';

export interface TestStack extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly broker: LocalBroker;
  readonly leadSpoolFolder: string;
  readonly landingUrl: string;
  readonly apiUrl: string;
  readonly sandbox: ReturnType<typeof sandboxAt>;
  metricsOf(name: 'landing' | 'api' | 'feedback-worker'): Promise<string>;
  /** Everything that the apps have written and that they measure. */
  logsAndMetrics(): Promise<string>;
  /** Starts an app as a process of its own, with other surroundings where they are given. */
  start(name: LeadbackAppName, other?: Partial<Pick<Surroundings, 'databaseUrl' | 'amqpUrl'>>): Promise<LocalProcess>;
}

const root = join(import.meta.dirname, '..', '..');
const local = (port: number) => `http://127.0.0.1:${port}`;

/** A database, a broker and the sandbox; the apps are started by the test. All of it ends with the test. */
export const givenStack = async (): Promise<TestStack> => {
  const processes = new AsyncDisposableStack();
  const [database, broker, ...ports] = await Promise.all([
    givenDatabase(),
    givenBroker(),
    ...Array.from({ length: 6 }, freePort),
  ]);
  const [landing = 0, api = 0, sandbox = 0, operationsLanding = 0, operationsApi = 0, operationsWorker = 0] = ports;
  const around: Surroundings = {
    root,
    databaseUrl: database.url,
    amqpUrl: broker.url,
    secretsKey: secretsKey.toString('base64'),
    leadSpoolFolder: await mkdtemp(join(inject('temporaryFolder'), 'spool-')),
    logFolder: await mkdtemp(join(inject('temporaryFolder'), 'logs-')),
    ports: {
      landing,
      api,
      sandbox,
      operations: { landing: operationsLanding, api: operationsApi, 'feedback-worker': operationsWorker },
    },
  };
  const start: TestStack['start'] = async (name, other) =>
    processes.use(await startLeadbackApp(name, { ...around, ...other }));
  await start('sandbox');
  const metricsOf: TestStack['metricsOf'] = async (name) =>
    (await fetch(`${local(around.ports.operations[name])}/metrics`)).text();
  const logsAndMetrics = async () => {
    const names = ['landing', 'api', 'feedback-worker'] as const;
    const logs = names.map((name) => readFile(join(around.logFolder, `${name}.log`), 'utf8'));
    return (await Promise.all([...logs, ...names.map(metricsOf)])).join('\n');
  };
  return {
    database,
    broker,
    leadSpoolFolder: around.leadSpoolFolder,
    landingUrl: local(landing),
    apiUrl: `${local(api)}/api/v1`,
    sandbox: sandboxAt(local(sandbox)),
    metricsOf,
    logsAndMetrics,
    start,
    async [Symbol.asyncDispose]() {
      await processes.disposeAsync();
      await Promise.all([broker.stop(), database[Symbol.asyncDispose]()]);
    },
  };
};
