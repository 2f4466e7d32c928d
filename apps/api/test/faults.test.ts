import { createServer } from 'node:net';
import { Conversion, Feedback, openPool } from '@leadback/db';
import {
  givenAccount,
  givenApiKey,
  givenClient,
  givenConnection,
  givenDatabase,
  tcpProxy,
  unique,
} from '@leadback/test-fixtures';
import { freePort } from '@leadback/local-stack';
import { hintPublisher } from '@leadback/messaging';
import { createLogger, createMetrics } from '@leadback/runtime';
import { describe, expect, it, vi } from 'vitest';
import { announcer } from '../src/announcer.ts';
import { apiEvents } from '../src/events.ts';
import { givenApi, type TestApi } from './given-api.ts';

const promisedMs = 5_000;

/** A caller that waits no longer for a response than promised. */
const givenPartner = async (api: TestApi) => {
  const em = api.database.em();
  const account = await givenAccount(em);
  await givenConnection(em, { account });
  const client = await givenClient(em, { account, externalReference: 'C1' });
  const key = await givenApiKey(em, { account });
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    api.send(method, `/api/v1${path}`, {
      key,
      headers,
      signal: AbortSignal.timeout(promisedMs),
      ...(body !== undefined && { body }),
    });
  const order = { amount: 1, currency: 'USD', clientExternalReference: 'C1' };
  return {
    account,
    client,
    read: () => send('GET', `/client/${client.id}`),
    register: (headers?: Record<string, string>) => send('POST', '/client/conversion', order, headers),
  };
};

/** The API on a database that can fail; the test has its own connection to the database. */
const givenFailingApi = async () => {
  const database = await givenDatabase();
  const proxy = await tcpProxy(database.url);
  const frail = await openPool({ url: proxy.url, applicationName: 'test' });
  const api = await givenApi({ database: { ...database, ...frail, url: proxy.url } });
  return {
    database,
    proxy,
    api: { ...api, database },
    async [Symbol.asyncDispose]() {
      await proxy.heal();
      for (const one of [api, frail, proxy, database]) await one[Symbol.asyncDispose]();
    },
  };
};

const unavailable = [503, '5', { message: 'not available right now; try again later' }];

describe('the API without PostgreSQL', () => {
  it.each(['cut', 'blackHole'] as const)(
    'answers 503 within 5 s while PostgreSQL is unavailable (%s), and recovers within 5 s',
    async (fault) => {
      await using frail = await givenFailingApi();
      const partner = await givenPartner(frail.api);
      expect((await partner.register()).status).toBe(201);
      frail.proxy[fault]();
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, index) => (index % 2 ? partner.register() : partner.read())),
      );
      for (const { status, headers, body } of replies)
        expect([status, headers.get('retry-after'), body]).toEqual(unavailable);
      await frail.proxy.heal();
      await vi.waitFor(async () => expect((await partner.register()).status).toBe(201), { timeout: promisedMs });
      expect(await frail.database.em().count(Conversion, { account: partner.account })).toBe(2);
    },
  );

  it('answers 503 within 5 s while no PostgreSQL connection is free, and recovers', async () => {
    await using api = await givenApi();
    const partner = await givenPartner(api);
    expect((await partner.read()).status).toBe(200);
    await using holder = await openPool({ url: api.database.url, applicationName: 'test holder' });
    const client = await holder.pool.connect();
    await client.query('begin; lock table client in access exclusive mode');
    const replies = await Promise.all(Array.from({ length: 40 }, () => partner.read()));
    for (const { status, headers, body } of replies)
      expect([status, headers.get('retry-after'), body]).toEqual(unavailable);
    await client.query('rollback');
    client.release();
    await vi.waitFor(async () => expect((await partner.register()).status).toBe(201), { timeout: promisedMs });
  });

  it('registers nothing twice on a retry with the same Idempotency-Key after a lost commit response', async () => {
    await using frail = await givenFailingApi();
    const partner = await givenPartner(frail.api);
    const headers = { 'idempotency-key': unique('key') };
    // background jobs commit, too
    const sprung = frail.proxy.blackHoleAfter('commit', 'lock-idempotency-keys');
    const lost = partner.register(headers);
    await sprung;
    expect((await lost).status).toBe(503);
    expect(await frail.database.em().count(Conversion, { account: partner.account })).toBe(1);
    await frail.proxy.heal();
    const again = await vi.waitFor(
      async () => {
        const reply = await partner.register(headers);
        expect(reply.status).toBe(201);
        return reply;
      },
      { timeout: promisedMs },
    );
    const conversions = await frail.database.em().find(Conversion, { account: partner.account });
    expect(conversions.map(({ id }) => id)).toEqual([expect.any(Number)]);
    expect(again.body).toEqual({ id: conversions[0]?.id, leadId: partner.client.lead.id });
  });
});

describe('the API without RabbitMQ', () => {
  it.each([
    ['is down', () => Promise.resolve()],
    [
      'accepts connections and never responds',
      (port: number) =>
        new Promise<void>((resolve) => {
          createServer().listen(port, '127.0.0.1', resolve).unref();
        }),
    ],
  ])('registers conversions while RabbitMQ %s, and their deliveries stay due', async (_, standIn) => {
    const port = await freePort();
    await standIn(port);
    await using publisher = hintPublisher({ url: `amqp://127.0.0.1:${port}` });
    const announce = announcer({ publisher, events: apiEvents(createLogger('api', 'silent'), createMetrics('api')) });
    await using api = await givenApi({ announce });
    const partner = await givenPartner(api);
    const replies = await Promise.all(Array.from({ length: 50 }, () => partner.register()));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    const em = api.database.em();
    expect(await em.count(Feedback, { account: partner.account, state: 'pending' })).toBe(50);
  });
});
