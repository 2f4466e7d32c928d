import { isDatabaseUnavailable, openDatabase } from '@leadback/db';
import { type AccountId, type Role, seesAllAccounts } from '@leadback/domain';
import { fetchTools } from '@leadback/core/sources/fetch';
import { dnsResolver } from '@leadback/core/domains/dns';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { serve } from '@leadback/server/http';
import { freePort } from '@leadback/testing/stack';
import { invitePerson } from '@leadback/core/people/invitations';
import { platformRegistry } from '@leadback/platforms';
import { createLogger, createMetrics, repeat } from '@leadback/server/app';
import { givenDatabase, secretsKeys, type TestDatabase, unique, openPatientPool } from '@leadback/testing';
import { URI } from 'otpauth';
import { z } from 'zod';
import { consoleApp } from '../src/app.ts';
import { consoleContext } from '../src/context.ts';
import { csrfHeader, sessionReply, setPasswordReply } from '../src/contract/session.ts';
import { takeCheckSlot } from '../src/endpoints/connections.ts';
import { consoleEvents } from '../src/events.ts';
import { workOnRetries } from '../src/jobs.ts';
import type { ProviderOptions } from '../src/sessions/provider.ts';
import { readWebFiles } from '../src/web/web.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined unless it is JSON. */
  readonly body: unknown;
}

/** A browser of the console: keeps the cookie and the token of its session. */
export interface Browser {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Sends JSON, or a form or the bytes of an image. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Sends a CSV file. */
  upload(path: string, file: string | Uint8Array<ArrayBuffer>): Promise<Reply>;
  /** The value of the session's cookie; empty without one. */
  cookie(): string;
}

/** Somebody who is signed in. */
export interface SignedIn extends Browser {
  readonly personId: number;
  readonly email: string;
  readonly password: string;
  /** The token of the invitation that was accepted. */
  readonly invitation: string;
  /** A code that was not used before. The first one is right for at least half a minute. */
  code(): string;
}

const cookieShape = /^(?<name>__Host-[^=]+)=(?<token>[^;]*);/;
const periodMs = 30_000;

// each browser is in a network of its own
let networks = 0;
const nextNetwork = () => {
  networks += 1;
  return `198.51.${Math.floor(networks / 250)}.${networks % 250}`;
};

/** A body as browsers send it: a form has the token in a field, because it cannot set a header. */
const sendable = (body: unknown, csrf: string) => {
  if (body instanceof URLSearchParams) {
    if (!body.has('csrf')) body.set('csrf', csrf);
    return { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  }
  const token = { [csrfHeader]: csrf };
  if (body instanceof Buffer) return { body, headers: { 'content-type': 'image/png', ...token } };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...token } };
};

const browserOf = (url: string): Browser => {
  const address = nextNetwork();
  const cookies = new Map<string, string>();
  let csrf = '';
  const send = async (
    path: string,
    given: Readonly<Record<string, string>>,
    init: RequestInit = {},
  ): Promise<Reply> => {
    const headers = {
      'x-forwarded-for': address,
      ...(cookies.size > 0 && { cookie: [...cookies].map(([name, token]) => `${name}=${token}`).join('; ') }),
      ...given,
    };
    const response = await fetch(`${url}${path}`, { ...init, headers, redirect: 'manual' });
    for (const sent of response.headers.getSetCookie()) {
      const { name = '', token = '' } = cookieShape.exec(sent)?.groups ?? {};
      if (token === '') cookies.delete(name);
      else cookies.set(name, token);
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const body: unknown = isJson ? JSON.parse(text) : undefined;
    const session = sessionReply.safeParse(body);
    if (session.success) ({ csrf } = session.data);
    return { status: response.status, headers: response.headers, text, body };
  };
  const get: Browser['get'] = (path, headers = {}) => send(path, headers);
  const change = async (
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array<ArrayBuffer>,
  ) => {
    if (csrf === '') await get('/api/session');
    return send(path, { origin: url, [csrfHeader]: csrf, ...headers }, { method: 'POST', body });
  };
  return {
    get,
    async post(path, body, headers = {}) {
      if (csrf === '') await get('/api/session');
      const sent = sendable(body, csrf);
      return send(path, { origin: url, ...sent.headers, ...headers }, { method: 'POST', body: sent.body });
    },
    upload: (path, file) => change(path, { 'content-type': 'text/csv' }, file),
    cookie: () => cookies.get('__Host-leadback') ?? '',
  };
};

interface Invited {
  readonly role?: Role;
  readonly accounts?: readonly AccountId[];
  readonly email?: string;
}

export interface TestConsole extends AsyncDisposable {
  readonly url: string;
  readonly database: TestDatabase;
  browser(): Browser;
  /** Somebody invited, and signed in by the invitation. Default: an admin. */
  person(options?: Invited): Promise<SignedIn>;
  /** The token of an invitation link. */
  invite(options?: Invited): Promise<{
    readonly id: number;
    readonly email: string;
    readonly token: string;
  }>;
}

interface ConsoleOptions {
  /** Of the built web part. */
  readonly webFolder?: string;
  /** Stands in for all platforms. */
  readonly platformsUrl?: string;
  /** How people reach it: a name if they have passkeys. */
  readonly host?: string;
  readonly provider?: ProviderOptions | undefined;
  /** `HOST:PORT` of the name server that it asks. Default: none answers. */
  readonly nameServer?: string;
  /** Whether statements and locks have the limits of the app. Default: it waits as long as a busy machine needs. */
  readonly hasLimits?: boolean;
}

/** The console over HTTP, on its own database as its own role. */
export const givenConsole = async ({
  webFolder = '/nowhere',
  platformsUrl = 'http://127.0.0.1:9',
  host = '127.0.0.1',
  provider,
  nameServer = '127.0.0.1:9',
  hasLimits = false,
}: ConsoleOptions = {}): Promise<TestConsole> => {
  const database = await givenDatabase({ waitsForLocks: !hasLimits });
  const limited = hasLimits ? await openDatabase({ url: database.url, applicationName: 'test' }) : undefined;
  const reached = limited ?? database;
  const events = consoleEvents(createLogger('console', 'silent'), createMetrics('console'));
  const port = await freePort();
  const url = `http://${host}:${port}`;
  const runner = repeat({ everyMs: 100, round: () => workOnRetries(reached.pool, events), onFailure: () => {} });
  const app = consoleApp({
    log: createLogger('console', 'silent'),
    trustProxyHops: 1,
    context: consoleContext(reached, {
      secretsKeys,
      platforms: platformRegistry({ PLATFORM_SANDBOX_URL: platformsUrl }, { takeSlot: takeCheckSlot(reached.pool) }),
      urls: { allowLoopback: true, ownHosts: ['console.example'] },
      landingUrl: 'https://go.example',
      events,
      consoleUrl: url,
      provider,
      apiUrl: 'https://api.example',
      fetching: fetchTools({ TIENDANUBE_API_URL: platformsUrl, TIENDANUBE_APPS_API_URL: platformsUrl }),
      dns: dnsResolver(nameServer),
    }),
    web: readWebFiles(webFolder),
    isUnavailable: isDatabaseUnavailable,
  });
  const server = await serve(app, { host: '127.0.0.1', port, express: app });

  const invite: TestConsole['invite'] = async ({ role = 'admin', accounts = [], email = unique('ana') } = {}) => {
    const address = email.includes('@') ? email : `${email}@example.com`;
    const accountIds = seesAllAccounts(role) ? [] : accounts;
    const invited = await invitePerson(database.em(), { email: address, role, accountIds, actor: 'test' });
    return { ...invited, email: address };
  };

  return {
    url,
    database,
    browser: () => browserOf(url),
    invite,
    async person(options = {}) {
      const { id: personId, email, token } = await invite(options);
      const browser = browserOf(url);
      const password = unique('password');
      const chosen = await browser.post('/api/invitation/password', { token, password });
      const totp = URI.parse(setPasswordReply.parse(chosen.body).url);
      if (!('period' in totp)) throw new Error('expected a second factor by time');
      // a step is accepted once, and a step ahead
      const steps = [0, 1, 2].map((off) => totp.generate({ timestamp: Date.now() + off * periodMs }));
      const code = () => z.string('no unused code is left').parse(steps.shift());
      const accepted = await browser.post('/api/invitation/accept', { token, code: code() });
      sessionReply.parse(accepted.body);
      return { ...browser, personId, email, password, invitation: token, code };
    },
    async [Symbol.asyncDispose]() {
      for (const one of [server, runner, limited, database]) await one?.[Symbol.asyncDispose]();
    },
  };
};

/** Performs erasures in the background, as an api does. */
export const givenEraser = async ({ database }: Pick<TestConsole, 'database'>): Promise<AsyncDisposable> => {
  const unhurried = await openPatientPool({ url: database.url, applicationName: 'test', hasNoStatementTimeout: true });
  const eraser = repeat({
    everyMs: 50,
    round: async () => (await performNextErasure(unhurried.pool, erasureTools(secretsKeys, 30))) !== undefined,
    onFailure: () => {},
  });
  return {
    async [Symbol.asyncDispose]() {
      await eraser[Symbol.asyncDispose]();
      await unhurried[Symbol.asyncDispose]();
    },
  };
};
