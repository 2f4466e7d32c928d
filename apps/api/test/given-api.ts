import { isDatabaseUnavailable, openDatabase, type Pool } from '@leadback/db';
import type { NewParcel } from '@leadback/core/delivery/enqueue';
import { givenContacts, givenDatabase, openPatiently, secretsKeys, type TestDatabase } from '@leadback/testing';
import { type Resolve, resolveHost } from '@leadback/platforms/address';
import { serve } from '@leadback/server/http';
import { asDatabaseRole, databaseRoles, freePort } from '@leadback/testing/stack';
import { createLogger, createMetrics } from '@leadback/server/app';
import { acceptedLog } from '../src/accepted.ts';
import { forJobs } from '../src/pools.ts';
import { apiApp } from '../src/app.ts';
import { apiContext } from '../src/context.ts';
import { apiEvents } from '../src/events.ts';
import { apiKeyCache } from '../src/authenticate.ts';
import { reconciliationJob } from '../src/jobs/jobs.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface TestApi extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly port: number;
  /** The pool of reads. */
  readonly pool: Pool;
  /** The text of its metrics. */
  metrics(): Promise<string>;
  /** All parcels announced so far. */
  readonly announced: NewParcel[];
  send(
    method: string,
    path: string,
    options?: { key?: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Reply>;
}

interface ApiOptions {
  /** Whether statements, locks and connections have the limits of the app. Default: a busy machine may take its time. */
  readonly hasLimits?: boolean;
  /** Shared with another instance; not closed here. */
  readonly database?: TestDatabase;
  /** The pool of registrations. Default: one of its own. */
  readonly intake?: TestDatabase['pool'];
  /** Of webhooks. */
  readonly allowLoopback?: boolean;
  /** Gets the parcels, too. */
  readonly announce?: (parcels: readonly NewParcel[]) => void;
}

/** Hosts of examples are on the Internet. */
const resolve: Resolve = (host) =>
  host.endsWith('.example') ? Promise.resolve([{ address: '93.184.215.14', family: 4 }]) : resolveHost(host);

/** The API over HTTP on its own database. Announces its parcels to the test. */
export const givenApi = async (options: ApiOptions = {}): Promise<TestApi> => {
  const { hasLimits = false } = options;
  const database = options.database ?? (await givenDatabase({ waitsForLocks: !hasLimits }));
  const connected = { url: asDatabaseRole(database.url, databaseRoles.api), applicationName: 'api test', entities: [] };
  const reached = await (hasLimits ? openDatabase(connected) : openPatiently(connected));
  const registering = await (hasLimits
    ? openDatabase({ ...connected, statementMaxMs: 1_500 })
    : openPatiently(connected));
  const { intake = registering.pool } = options;
  const announced: NewParcel[] = [];
  const log = createLogger('api', 'silent');
  const metrics = createMetrics('api');
  const events = apiEvents(log, metrics);
  const context = apiContext({
    database: reached,
    intake,
    jobs: forJobs(reached.pool),
    secretsKeys,
    contacts: givenContacts(),
    ofWebhooks: { allowLoopback: options.allowLoopback ?? false, ownHosts: ['go.example.com'], resolve },
    announce: (parcels) => {
      announced.push(...parcels);
      options.announce?.(parcels);
    },
    events,
    accepted: acceptedLog(),
  });
  const reconciliation = reconciliationJob(context);
  const app = apiApp({
    log,
    trustProxyHops: 0,
    isUnavailable: isDatabaseUnavailable,
    onOverloaded: events.overloaded,
    keys: apiKeyCache(intake, events.keyUseNotNoted),
    context,
  });
  const port = await freePort();
  const host = '127.0.0.1';
  const server = await serve(app, { host, port, express: app });
  return {
    database,
    port,
    pool: reached.pool,
    metrics: () => metrics.metrics(),
    announced,
    async send(method, path, { key, body, headers = {}, signal } = {}) {
      const response = await fetch(`http://${host}:${port}${path}`, {
        method,
        ...(signal && { signal }),
        headers: {
          ...(key !== undefined && { 'x-api-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && {
          body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
        }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
      const read = () => (isJson ? JSON.parse(text) : text);
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : read() };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await reconciliation[Symbol.asyncDispose]();
      await registering[Symbol.asyncDispose]();
      await reached[Symbol.asyncDispose]();
      if (!options.database) await database[Symbol.asyncDispose]();
    },
  };
};
