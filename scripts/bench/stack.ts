import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import {
  forgetServer,
  freePort,
  type LeadbackAppName,
  type LocalBroker,
  type LocalProcess,
  localUrl,
  type Surroundings,
  serversOf,
  startLeadbackApp,
  startPostgres,
  startRabbitmq,
} from '@leadback/testing/stack';
import { Pool } from 'pg';
import { z } from 'zod';
import { root } from '../start/data-folder.ts';
import { operate } from '../start/demo.ts';
import { say } from './figures.ts';

export interface BenchStack {
  readonly pool: Pool;
  readonly databaseUrl: string;
  readonly secretsKey: string;
  readonly landingUrl: string;
  readonly apiUrl: string;
  readonly sandboxUrl: string;
  /** Process ids of the servers. */
  readonly servers: Readonly<Record<'RabbitMQ' | 'PostgreSQL', number>>;
  readonly startApp: (name: LeadbackAppName) => Promise<LocalProcess>;
  /** Runs an operator command, its words separated by single spaces, and returns its JSON output. */
  readonly operator: (line: string) => Promise<unknown>;
  /** Ends it together with the servers. */
  readonly use: <Started extends AsyncDisposable>(started: Started) => Started;
}

/** Starts a RabbitMQ with data on disk as in production. All stacks share it, because each start would take eight seconds. */
export const startBroker = async (ending: AsyncDisposableStack): Promise<LocalBroker> => {
  const dir = mkdtempSync(join(tmpdir(), 'leadback-bench-rabbitmq-'));
  ending.defer(() => forgetServer(dir));
  return ending.use(await startRabbitmq({ dir, log: say }));
};

/**
 * Buffers as docs/production.md recommends them. No checkpoint begins by itself during a run: whether one falls into a
 * measurement of seconds would be chance.
 */
const postgresSettings: Readonly<Record<string, string>> = {
  shared_buffers: `${Math.floor(totalmem() / 4 / 1024 ** 2)}MB`,
  max_wal_size: '64GB',
  checkpoint_timeout: '1h',
  // for all of a statement, which pgbench repeats
  track_activity_query_size: '64kB',
};

// all load comes from one address, which may have any number of connections if it is a proxy
const unlimited = { TRUST_PROXY: '1', LEAD_RATE: '1000000', LEAD_BURST: '1000000' };

/** An empty PostgreSQL with data on disk as in production, migrated, and apps that it can start. */
export const benchStack = async (broker: LocalBroker, ending: AsyncDisposableStack): Promise<BenchStack> => {
  const folder = mkdtempSync(join(tmpdir(), 'leadback-bench-'));
  const dir = join(folder, 'postgres');
  ending.defer(async () => {
    await forgetServer(dir);
    rmSync(folder, { recursive: true, force: true });
  });
  const [postgres, amqpUrl, ports] = await Promise.all([
    startPostgres({ dir, settings: postgresSettings, log: say }),
    broker.addVirtualHost(basename(folder)),
    Promise.all(Array.from({ length: 8 }, freePort)),
  ]);
  ending.use(postgres);

  const [landing = 0, api = 0, sandbox = 0, console = 0, ofLanding = 0, ofApi = 0, ofWorker = 0, ofConsole = 0] = ports;
  const operations = { landing: ofLanding, api: ofApi, 'feedback-worker': ofWorker, console: ofConsole };
  const secretsKey = randomBytes(32).toString('base64');
  const around: Surroundings = {
    root,
    databaseUrl: postgres.url,
    amqpUrl,
    secretsKey,
    logFolder: folder,
    leadSpoolFolder: join(folder, 'leads'),
    ports: { landing, api, sandbox, console, operations },
    settings: unlimited,
    isBundled: true,
  };
  const [landingUrl, consoleUrl] = [localUrl(landing), localUrl(console)];
  const operator = (line: string) =>
    operate({ databaseUrl: postgres.url, secretsKey, landingUrl, consoleUrl }, ...line.split(' '));
  await operator('database migrate');
  const pool = new Pool({ connectionString: postgres.url, application_name: 'bench' });
  pool.on('error', () => {}); // PostgreSQL may stop while the last connections are still closing
  ending.defer(() => pool.end());

  return {
    pool,
    databaseUrl: postgres.url,
    secretsKey,
    landingUrl,
    apiUrl: `${localUrl(api)}/api/v1`,
    sandboxUrl: localUrl(sandbox),
    servers: { RabbitMQ: broker.pid, PostgreSQL: postgres.pid },
    startApp: async (name) => ending.use(await startLeadbackApp(name, { ...around, ...serversOf(name, around) })),
    operator,
    use: (started) => ending.use(started),
  };
};

const withEventId = z.union([
  z.object({ event_id: z.string() }).transform(({ event_id: id }) => id),
  z.object({ transactionId: z.string() }).transform(({ transactionId: id }) => id),
]);

const receivedSchema = z.array(
  z
    .object({ platform: z.string(), receivedAt: z.iso.datetime(), event: withEventId })
    .transform(({ platform, receivedAt, event }) => ({
      platform,
      eventId: event,
      receivedAtMs: Date.parse(receivedAt),
    })),
);

/** The events that the platforms have received, at most the last 200,000. */
export const receivedEvents = async ({ sandboxUrl }: BenchStack): Promise<z.infer<typeof receivedSchema>> => {
  const response = await fetch(`${sandboxUrl}/events`);
  return receivedSchema.parse(await response.json());
};

/** Forgets the events received so far. */
export const clearEvents = async ({ sandboxUrl }: BenchStack): Promise<void> => {
  const response = await fetch(`${sandboxUrl}/events`, { method: 'DELETE' });
  if (!response.ok) throw new Error(`cannot clear the events: the sandbox responded with ${response.status}`);
};

/** Makes a platform take so long for each request. */
export const slowDown = async ({ sandboxUrl }: BenchStack, platform: string, delayMs: number): Promise<void> => {
  const response = await fetch(`${sandboxUrl}/behaviour`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ platform, answer: 'ok', delayMs }),
  });
  if (!response.ok) throw new Error(`cannot change ${platform}: the sandbox responded with ${response.status}`);
};
