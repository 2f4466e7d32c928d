import { type Account, isDatabaseUnavailable, openDatabase, type PlatformConnection, type Pool } from '@leadback/db';
import type { NewParcel } from '@leadback/core/delivery/enqueue';
import { type PlatformName, warningSchema } from '@leadback/domain';
import {
  givenAccount,
  givenApiKey,
  givenClient,
  givenConnection,
  givenContacts,
  givenDatabase,
  openPatiently,
  secretsKeys,
  type TestDatabase,
  unique,
} from '@leadback/testing';
import { type Resolve, resolveHost } from '@leadback/platforms/address';
import { serve } from '@leadback/server/http';
import { asDatabaseRole, databaseRoles, freePort } from '@leadback/testing/stack';
import { createLogger, createMetrics, repeat } from '@leadback/server/app';
import { acceptedLog } from '@leadback/core/accepted';
import { type RefusalCounter, refusalCounter } from '@leadback/core/sources/refusals';
import { z } from 'zod';
import { forJobs } from '../src/pools.ts';
import { apiApp } from '../src/app.ts';
import { apiContext } from '../src/context.ts';
import { apiEvents } from '../src/events.ts';
import { apiKeyCache } from '../src/authenticate.ts';
import { reconcile } from '../src/jobs.ts';

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
  /** Of requests to sources with a wrong signature. */
  readonly refusals: RefusalCounter;
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
  const refusals = refusalCounter();
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
    refusals,
  });
  const reconciliation = repeat({
    everyMs: 100,
    round: async () => (await reconcile(context)) !== undefined,
    onFailure: events.reconciliationFailed,
  });
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
    refusals,
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

/** The id in the response to what has created something. */
export const idOf = ({ body }: Pick<Reply, 'body'>): number => z.object({ id: z.number() }).parse(body).id;

/** A sale of the client `C1`. */
export const sale = { amount: 10, currency: 'USD', clientExternalReference: 'C1' };
/** The same as an item of a batch. */
export const order = (change: object = {}) => ({ ...sale, conversionExternalReference: unique('order'), ...change });

const batchSchema = z.object({
  results: z.array(
    z.object({
      index: z.number(),
      outcome: z.string(),
      id: z.number().optional(),
      leadId: z.number().optional(),
      code: z.string().optional(),
      message: z.string().optional(),
      warnings: z.array(warningSchema).optional(),
    }),
  ),
  counts: z.record(z.string(), z.number()),
  dryRun: z.boolean(),
});

export type BatchResult = z.infer<typeof batchSchema>;

/** The outcomes of a batch, in order. */
export const outcomesOf = ({ results }: BatchResult): string[] => results.map(({ outcome }) => outcome);

interface PartnerOptions {
  readonly account?: Account;
  readonly isTest?: boolean;
  readonly rateLimit?: number;
  /** Each has a connection. */
  readonly platforms?: readonly PlatformName[];
}

interface Sending {
  /** Default: the partner's. */
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

/** A partner with a key and a client `C1`, whose email is `ana@x.example`. */
export const givenPartner = async (
  { database, send }: Pick<TestApi, 'database' | 'send'>,
  { account: given, isTest = false, rateLimit = 1_000_000, platforms = [] }: PartnerOptions = {},
) => {
  const em = database.em();
  const account = given ?? (await givenAccount(em, { rateLimit }));
  const client = await givenClient(em, { account, externalReference: 'C1', email: 'ana@x.example', isTest });
  const { reference: leadReference } = await client.lead.loadOrFail();
  const connections: PlatformConnection[] = [];
  for (const platform of platforms) connections.push(await givenConnection(em, { account, platform }));
  const key = await givenApiKey(em, { account, isTest });
  const get = (path: string, sending?: Sending) => send('GET', `/api/v1${path}`, { key, ...sending });
  const post = (path: string, body: unknown, sending?: Sending) =>
    send('POST', `/api/v1${path}`, { key, body, ...sending });
  const convert = (fields: object = {}, sending?: Sending) =>
    post('/client/conversion', { ...sale, ...fields }, sending);
  const accepted = async (path: string, items: unknown, sending?: Sending): Promise<BatchResult> => {
    const reply = await post(path, { items }, sending);
    if (reply.status !== 200) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`);
    return batchSchema.parse(reply.body);
  };
  return {
    account,
    client,
    leadReference,
    connections,
    key,
    get,
    post,
    /** Registers a client of its lead. */
    register: (fields: object = {}, sending?: Sending) => post('/client', { leadReference, ...fields }, sending),
    /** Registers a sale. */
    convert,
    /** As `convert`; returns the id. */
    sell: async (fields?: object, sending?: Sending) => idOf(await convert(fields, sending)),
    /** Reads a conversion. */
    conversion: async (id: number, sending?: Sending) => (await get(`/client/conversion/${id}`, sending)).body,
    clients: (items: unknown, { query = '', ...sending }: Sending & { query?: string } = {}) =>
      accepted(`/client/batch${query}`, items, sending),
    conversions: (items: unknown, { query = '', ...sending }: Sending & { query?: string } = {}) =>
      accepted(`/client/conversion/batch${query}`, items, sending),
  };
};
