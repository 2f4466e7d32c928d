import { EventEmitter, once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { type LandingPage, Lead } from '@leadback/db';
import {
  type TestDatabase,
  findLead,
  givenDatabase,
  givenLandingPage,
  hiddenFieldsIn,
  openPatiently,
  secretsKeys,
  tcpProxy,
  waitMaxMs,
} from '@leadback/testing';
import { rememberedClicksKeys, writeRememberedClicks } from '@leadback/domain/keys';
import { operationsApp, proxyCheck, serve } from '@leadback/server/http';
import { freePort, localUrl } from '@leadback/testing/stack';
import { createLogger, createMetrics } from '@leadback/server/app';
import { inject } from 'vitest';
import { landingApp } from '../src/app.ts';
import { landingContext } from '../src/context.ts';
import { boundedDisk, DiskHangs } from '../src/leads/disk.ts';
import { landingEvents } from '../src/events.ts';
import { databaseClock, leadStore } from '../src/leads/lead-store.ts';
import { headersMaxBytes, landingLimits } from '../src/limits.ts';
import { allowedDomains } from '../src/pages/domains.ts';
import { entities, keepPages, pageCache, pageFile } from '../src/pages/pages.ts';

interface Visit {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly form?: Record<string, string>;
  /** Replaces the form. */
  readonly body?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly location: string | undefined;
  readonly html: string;
}

/** Sends one request like a browser, without following redirects. The path is sent byte for byte. */
type Visitor = (path: string, visit?: Visit) => Promise<Reply>;

const browser = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
};

/** A browser that visits the server at this URL. */
const visitorOf = (url: string): Visitor => {
  const { hostname, port } = new URL(url);
  return (path, { method, headers, form, body = form && new URLSearchParams(form).toString() } = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        hostname,
        port,
        path,
        method: method ?? (form ? 'POST' : 'GET'),
        headers: { ...browser, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }), ...headers },
      };
      const sent = request(options, (response) => {
        response.setEncoding('utf8');
        let html = '';
        response.on('data', (text: string) => {
          html += text;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            location: response.headers.location,
            html,
          }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
};

/** The lead reference in a redirect to the target page. */
export const referenceIn = (location: string | undefined): string =>
  new URL(location ?? '').searchParams.get('serviceId') ?? '';

/** The handles of the leads on a visitor's page, in order. */
export const handlesIn = (html: string): string[] =>
  [...html.matchAll(/name="handle" value="(?<handle>[^"]+)"/g)].map(({ groups }) => groups?.['handle'] ?? '');

const setBy = ({ headers }: Pick<Reply, 'headers'>): string[] => [headers['set-cookie'] ?? []].flat();

/** The `Set-Cookie` header of a response for the cookie of this name; empty if there is none. */
export const cookieSet = (reply: Pick<Reply, 'headers'>, name: string): string =>
  setBy(reply).find((cookie) => cookie.startsWith(`${name}=`)) ?? '';

/** The `Cookie` header that a browser sends after these responses. */
export const sentBack = (...replies: readonly Pick<Reply, 'headers'>[]): { cookie: string } => {
  const kept = new Map(
    replies.flatMap(setBy).map((cookie) => {
      const [pair = ''] = cookie.split(';');
      return [pair.slice(0, pair.indexOf('=')), pair] as const;
    }),
  );
  return { cookie: [...kept.values()].join('; ') };
};

type OfPage = Pick<LandingPage, 'account'>;

/** The name of the cookie with the clicks on pages of an account. */
export const clicksName = ({ account }: OfPage): string => `clicks-${account.id.toString(36)}`;

/** This cookie as a browser sends it. */
export const clicksCookie = (page: OfPage, kept: Record<string, string | number>): string => {
  const pairs = Object.entries(kept).map(([name, value]) => [name, String(value)]);
  const text = new URLSearchParams(Object.fromEntries(pairs)).toString();
  return `${clicksName(page)}=${writeRememberedClicks(rememberedClicksKeys(secretsKeys), page.account.id, text)}`;
};

export interface TestLanding extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly spoolFolder: string;
  readonly port: number;
  metrics(): Promise<string>;
  /** Cuts the connections of the app to its database; those of the test stay. */
  loseDatabase(): void;
  findDatabaseAgain(): Promise<void>;
  /** Resolves when the disk hangs while buffered leads are read from it. */
  diskHung(): Promise<void>;
  /** Resolves after the next refresh of the app. */
  heardOfNews(): Promise<void>;
  readonly visit: Visitor;
  readonly operationsPort: number;
  /** A request for the operations port. */
  readonly askOperations: Visitor;
  /** Opens the page, fills in its form and sends it, like a browser. */
  submit(path: string, form?: Record<string, string>, headers?: Record<string, string>): Promise<Reply>;
  givenPage(content?: Parameters<typeof givenLandingPage>[1]): Promise<LandingPage>;
  /** The lead that a redirect to the target page names. */
  leadOf(reply: Pick<Reply, 'location'>): ReturnType<typeof findLead>;
  /** How many leads a page has. */
  leadsOf(page: Pick<LandingPage, 'id'>): Promise<number>;
}

interface GivenLanding {
  readonly trustProxyHops?: number;
  readonly leadRate?: number;
  readonly leadBurst?: number;
  readonly visitorBurst?: number;
  readonly erasureBurst?: number;
  readonly withdrawalBurst?: number;
  readonly spoolFolder?: string;
  readonly spoolBytesMax?: number;
  /** For tests in which the disk hangs. Default: longer than that of a busy machine takes. */
  readonly diskMaxMs?: number;
  /** Shared with another app; not closed here. */
  readonly database?: TestDatabase;
  /** Starts with the folder of another landing app, and without PostgreSQL. */
  readonly after?: Pick<TestLanding, 'database' | 'spoolFolder'>;
}

const rarely = (burst: number) => ({ perSecond: 0.0001, burst });

/** The landing app over HTTP on its own database, behind one proxy, without RabbitMQ: leads are buffered on disk. */
export const givenLanding = async (given: GivenLanding = {}): Promise<TestLanding> => {
  const {
    trustProxyHops = 1,
    leadRate = 50,
    leadBurst = 500,
    visitorBurst = 500,
    erasureBurst = 500,
    withdrawalBurst = 500,
    after,
  } = given;
  const spoolFolder =
    after?.spoolFolder ?? given.spoolFolder ?? (await mkdtemp(join(inject('temporaryFolder'), 'spool-')));
  const database = after?.database ?? given.database ?? (await givenDatabase());
  const proxy = await tcpProxy(database.urlOf('landing'));
  if (after) proxy.cut();
  const reached = await openPatiently({ url: proxy.url, applicationName: 'landing test', entities });
  const log = createLogger('landing', 'silent');
  const metrics = createMetrics('landing');
  const events = landingEvents(log, metrics);
  const pages = pageCache(reached);
  const disk = boundedDisk(given.diskMaxMs ?? waitMaxMs);
  const kept = await keepPages({ pages, file: pageFile(spoolFolder, disk), events });
  let refreshed = Promise.withResolvers<void>();
  const hangings = new EventEmitter();
  const isUp = Promise.withResolvers<void>();
  const proxies = proxyCheck(log, trustProxyHops);
  const clock = databaseClock();
  const leads = await leadStore({
    database: reached,
    amqpUrl: `amqp://127.0.0.1:${await freePort()}`,
    spoolFolder,
    disk,
    spoolBytesMax: given.spoolBytesMax ?? 1024 * 1024 * 1024,
    secretsKeys,
    events: {
      ...events,
      databaseUp: isUp.resolve,
      replayFailed(error) {
        if (error instanceof DiskHangs) hangings.emit('hung');
      },
    },
    clock,
    isIgnoringProxy: proxies.isIgnoringProxy,
    isMissingTls: proxies.isMissingTls,
    refresh: async (now) => {
      const ours = refreshed;
      refreshed = Promise.withResolvers();
      await pages.refresh(now);
      ours.resolve();
    },
  });
  if (!after) await isUp.promise;
  const context = landingContext({
    database: reached,
    secretsKeys,
    pages,
    clock,
    storeLead: leads.store,
    limits: landingLimits({
      lead: { perSecond: leadRate, burst: leadBurst },
      visitor: rarely(visitorBurst),
      erasure: rarely(erasureBurst),
      withdrawal: rarely(withdrawalBurst),
    }),
    events,
  });
  const app = landingApp({ log, trustProxyHops, proxyCheck: proxies, context });
  const port = await freePort();
  const server = await serve(app, { host: '127.0.0.1', port, headersMaxBytes, express: app });
  const visit = visitorOf(localUrl(port));
  const operationsPort = await freePort();
  const operations = await serve(operationsApp({ metrics, checks: [], routes: allowedDomains(pages.domains) }), {
    host: '127.0.0.1',
    port: operationsPort,
  });
  return {
    database,
    spoolFolder,
    port,
    metrics: () => metrics.metrics(),
    loseDatabase: () => proxy.cut(),
    findDatabaseAgain: () => proxy.heal(),
    async diskHung() {
      await once(hangings, 'hung');
    },
    heardOfNews: () => refreshed.promise,
    visit,
    operationsPort,
    askOperations: visitorOf(localUrl(operationsPort)),
    async submit(path, form = {}, headers = {}) {
      const { html } = await visit(path, { headers });
      return visit(path, { form: { ...hiddenFieldsIn(html), ...form }, headers });
    },
    givenPage: (content) => givenLandingPage(database.em(), content),
    leadOf: ({ location }) => findLead(database.em(), referenceIn(location)),
    leadsOf: ({ id }) => database.em().count(Lead, { landingPage: id }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await operations[Symbol.asyncDispose]();
      await leads[Symbol.asyncDispose]();
      await kept[Symbol.asyncDispose]();
      await reached[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      if (!after && !given.database) await database[Symbol.asyncDispose]();
    },
  };
};
