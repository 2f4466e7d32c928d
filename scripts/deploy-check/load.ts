import { createServer, request } from 'node:http';
import { promisify } from 'node:util';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { mkdirSync } from 'node:fs';
import { z } from 'zod';
import { type Database, openDatabase } from '@leadback/db';
import {
  type DemoAccount,
  createDemoAccount,
  startDemoShop,
  type Carried,
  carryVisitorThrough,
  type Operate,
} from '../start/demo.ts';
import { type Facts, violationsIn } from '../../tests/support/oracle.ts';
import { metricDifferences } from '../../packages/core/test/metric-differences.ts';
import { qualityDifferences } from '../../packages/core/test/quality-differences.ts';
import { sandboxAt } from '../../tests/support/sandbox.ts';
import { storedFacts } from '../../tests/support/stored-facts.ts';
import { type ComposeStack, listQueues, until } from './stack.ts';
import { logFolder } from '../start/data-folder.ts';

/** Where docker-compose.yml publishes its services on this machine. */
export const addresses = {
  landing: 'http://127.0.0.1:3000',
  api: 'http://127.0.0.1:3001/api/v1',
  shop: 'http://127.0.0.1:3002',
  sandbox: 'http://127.0.0.1:3003',
  console: 'http://127.0.0.1:3004',
  prometheus: 'http://127.0.0.1:9090',
} as const;

interface Entrance extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
}

/**
 * Passes requests on to a port of this machine under another host name. Browsers know that *.localhost is this machine;
 * Node.js does not.
 */
export const byHostName = async (host: string, port: number): Promise<Entrance> => {
  const server = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const passedOn = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passedOn.on('error', () => response.destroy());
    incoming.pipe(passedOn);
  });
  const listen = promisify((done: () => void) => server.listen(0, '127.0.0.1', done));
  await listen();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
    },
  };
};

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const responseMaxMs = 15_000;

/** Follows a click on a page that redirects at once. Returns the lead reference; undefined if the visitor got no response. */
const click = async (directPage: string): Promise<string | undefined> => {
  const id = randomBytes(6).toString('hex');
  const options = {
    headers: { 'user-agent': browser },
    redirect: 'manual',
    signal: AbortSignal.timeout(responseMaxMs),
  } as const;
  const response = await fetch(`${directPage}?gclid=${id}&fbclid=${id}`, options).catch(() => undefined);
  const target = response?.headers.get('location');
  return target ? (new URL(target).searchParams.get('serviceId') ?? undefined) : undefined;
};

interface Response {
  /** Undefined if there was none. */
  readonly status: number | undefined;
  readonly id: number | undefined;
}

const created = z.object({ id: z.number() });

/** Sends a request of a partner's backend. */
export const post = async (
  apiKey: string,
  path: '/client' | '/client/conversion',
  body: object,
  idempotencyKey?: string,
): Promise<Response> => {
  const response = await fetch(addresses.api + path, {
    method: 'POST',
    headers: {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(responseMaxMs),
  }).catch(() => undefined);
  const reply: unknown = await response?.json().catch(() => undefined);
  return { status: response?.status, id: created.safeParse(reply).data?.id };
};

interface LoadedPartner {
  readonly apiKey: string;
  readonly directPage: string;
  readonly clientReference: string;
  /** Texts that logs must not contain. */
  readonly canaries: readonly string[];
}

/** A client of the account, who came by a click. */
export const givenLoadedPartner = async ({ apiKey, directPage }: DemoAccount): Promise<LoadedPartner> => {
  const canary = `canary${randomBytes(6).toString('hex')}`;
  const leadReference = await click(directPage);
  const person = { name: `Ana ${canary}`, email: `${canary}@x.example`, externalReference: canary };
  const { status } = await post(apiKey, '/client', { leadReference, ...person });
  if (status !== 201) throw new Error(`POST /client got ${status} for the lead ${leadReference}`);
  return { apiKey, directPage, clientReference: canary, canaries: [canary, apiKey] };
};

type Entry = Facts['entries'][number] & { readonly statuses: (number | undefined)[]; readonly ids: number[] };

interface Sent {
  /** All conversions that were requested, with all responses. */
  readonly entries: readonly Entry[];
  /** The lead references with which visitors were redirected. */
  readonly leads: readonly string[];
  /** Clicks without a response. */
  readonly clicksLost: number;
}

interface SteadyLoad {
  readonly soFar: () => {
    readonly accepted: number;
    readonly requested: number;
    readonly leads: number;
    /** Conversions and clicks without a response, or with another one than was wanted. */
    readonly failed: number;
  };
  /** Ends the load and retries requests without a response that have an idempotency key, until each has one. */
  readonly stop: () => Promise<Sent>;
}

const callers = 8;
/** Half of the requests have idempotency keys. */
const isKeyed = (index: number) => index % 2 === 0;
const repeatMaxMs = 60_000;

/** Sends conversions and clicks until it is stopped, each about `perSecond` times a second. */
export const steadyLoad = (
  partner: LoadedPartner,
  connections: readonly number[],
  { perSecond = 40, clicksPerSecond = 10 } = {},
): SteadyLoad => {
  const [entries, leads, stopping]: [Entry[], string[], AbortController] = [[], [], new AbortController()];
  const run = randomBytes(4).toString('hex');
  let [clicksLost, refused] = [0, 0];
  const isRunning = () => !stopping.signal.aborted;

  const ask = async (entry: Entry, hasKey: boolean): Promise<void> => {
    const names = { clientExternalReference: partner.clientReference, conversionExternalReference: entry.reference };
    const body = { ...names, amount: 10, currency: 'USD' };
    const { status, id } = await post(partner.apiKey, '/client/conversion', body, hasKey ? entry.reference : undefined);
    entry.statuses.push(status);
    if (status === 201 && id !== undefined) entry.ids.push(id);
    else refused += 1;
  };
  const convert = async (): Promise<void> => {
    while (isRunning()) {
      const index = entries.length;
      const entry = { reference: `order-${run}-${index}`, connections, statuses: [], ids: [] };
      entries.push(entry);
      await ask(entry, isKeyed(index));
      await pause((1_000 * callers) / perSecond);
    }
  };
  const visit = async (): Promise<void> => {
    while (isRunning()) {
      const lead = await click(partner.directPage);
      if (lead === undefined) clicksLost += 1;
      else leads.push(lead);
      await pause(1_000 / clicksPerSecond);
    }
  };
  const running = Promise.all([visit(), ...Array.from({ length: callers }, convert)]);

  return {
    soFar: () => ({
      accepted: entries.filter(({ ids }) => ids.length > 0).length,
      requested: entries.length,
      leads: leads.length,
      failed: clicksLost + refused,
    }),
    stop: async () => {
      stopping.abort();
      await running;
      const end = Date.now() + repeatMaxMs;
      for (const [index, entry] of entries.entries()) {
        while (isKeyed(index) && entry.ids.length === 0 && Date.now() < end) {
          await ask(entry, true);
          if (entry.ids.length === 0) await pause(250);
        }
      }
      return { entries, leads, clicksLost };
    },
  };
};

const apps = ['landing', 'api', 'feedback-worker', 'console'] as const;
// leases of killed workers end after two minutes
const drainMaxMs = 240_000;

/** The database as its administrator, through the port that compose publishes. */
export const administratorOf = ({ settings }: ComposeStack): Promise<Database> =>
  openDatabase({
    url: `postgres://postgres:${settings['POSTGRES_PASSWORD']}@127.0.0.1:5432/leadback`,
    applicationName: 'deploy-check',
    hasNoStatementTimeout: true,
  });

const queuesSchema = z.array(z.object({ name: z.string(), messages: z.number() }));

const queuesOf = async (stack: ComposeStack) =>
  queuesSchema
    .parse(await listQueues(stack, 'name', 'messages'))
    .map(({ name, messages }) => ({ queue: name, messages }));

const countOf = async ({ pool }: Database, text: string, values: readonly unknown[] = []): Promise<number> => {
  const { rows } = await pool.query(text, [...values]);
  return z.object({ count: z.coerce.number() }).parse(rows[0]).count;
};

/** The leads with which visitors were redirected and that are not in the database. */
const leadsLost = async (database: Database, leads: readonly string[]): Promise<string[]> => {
  const { rows } = await database.pool.query('select reference from lead where reference = any($1::text[])', [leads]);
  const stored = new Set(
    z
      .array(z.object({ reference: z.string() }))
      .parse(rows)
      .map(({ reference }) => reference),
  );
  return leads.filter((lead) => !stored.has(lead)).map((lead) => `the lead ${lead} is lost`);
};

/**
 * Waits until everything is delivered, then compares what partners and visitors were told with the database, the queues, the
 * sandbox and the logs. Throws with the first violations. `requested`: conversions that were requested before the load.
 */
export const assertNothingLost = async (
  stack: ComposeStack,
  partner: LoadedPartner,
  sent: Sent,
  { duplicatesMax, requested = [] }: { readonly duplicatesMax: number; readonly requested?: Facts['entries'] },
): Promise<string> => {
  await using database = await administratorOf(stack);
  const pending = `select count(*) from delivery where state = 'pending'`;
  await until('all deliveries are closed', async () => (await countOf(database, pending)) === 0, {
    timeoutMs: drainMaxMs,
  });
  const { leads } = sent;
  await until('all leads are stored', async () => (await leadsLost(database, leads)).length === 0).catch(() => {});
  await until('all queues are empty', async () => (await queuesOf(stack)).every(({ messages }) => messages === 0));
  const [stored, events, queues, logs, metrics, quality, lost] = await Promise.all([
    storedFacts(database),
    sandboxAt(addresses.sandbox).events(),
    queuesOf(stack),
    stack.logs(...apps),
    metricDifferences(database),
    qualityDifferences(database),
    leadsLost(database, leads),
  ]);
  const entries = [...requested, ...sent.entries];
  const { canaries } = partner;
  const facts = {
    ...stored,
    entries,
    canaries,
    events,
    queues,
    logs,
    metricDifferences: [...metrics, ...quality],
    footprints: [],
  };
  const violations = [...violationsIn(facts, { duplicatesMax }), ...lost];
  if (violations.length > 0) throw new Error(`${violations.length} violations: ${violations.slice(0, 5).join('; ')}`);
  const accepted = entries.filter(({ ids }) => ids.length > 0).length;
  return `${accepted} of ${entries.length} conversions accepted, ${events.length} events, ${leads.length} leads, nothing lost`;
};

const shopPort = Number(new URL(addresses.shop).port);

/** An account for the demonstration, made with operator commands. */
export const givenWalker = (operate: Operate): Promise<DemoAccount> =>
  createDemoAccount(operate, { database: 'compose', shopUrl: `${addresses.shop}/offer` });

/** Takes one visitor from the click through the shop to the platforms' sandbox, as `npm start` does. */
export const walk = async (
  demo: DemoAccount,
  say: (text: string) => void,
  { apiUrl, sandboxUrl }: { readonly apiUrl: string; readonly sandboxUrl: string } = {
    apiUrl: addresses.api,
    sandboxUrl: addresses.sandbox,
  },
): Promise<Carried> => {
  mkdirSync(logFolder, { recursive: true });
  // the shop is on this machine, where the containers cannot call its webhook
  await using _shop = await startDemoShop({ port: shopPort, apiUrl, apiKey: demo.apiKey, webhookSecret: '' });
  return await carryVisitorThrough({ apiUrl, sandboxUrl, demo, say });
};
