import { type Account, Feedback, FeedbackAttempt, PlatformConnection } from '@leadback/db';
import {
  givenAccount,
  givenConnection,
  givenConversion,
  givenDatabase,
  givenServer,
  secretsKey,
  type TestDatabase,
  type TestServer,
} from '@leadback/given';
import { platformSandbox } from '@leadback/platform-sandbox';
import { platformRegistry } from '@leadback/platforms';
import { createLogger, createMetrics } from '@leadback/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { workerEvents } from '../src/events.ts';
import { feedbackDelivery } from '../src/feedback-delivery.ts';

describe('feedback', () => {
  let database: TestDatabase;
  let sandbox: TestServer;
  let deliver: (feedbackId: number) => Promise<void>;

  beforeAll(async () => {
    database = await givenDatabase();
    sandbox = await givenServer(platformSandbox());
    const { url } = sandbox;
    deliver = feedbackDelivery({
      pool: database.pool,
      secretsKey,
      platforms: platformRegistry({ metaApiUrl: url, googleApiUrl: url, googleOauthUrl: url }),
      events: workerEvents(createLogger('feedback-worker', 'silent'), createMetrics('feedback-worker')),
    });
  });
  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  interface Wanted {
    readonly account?: Account;
    readonly connection?: Parameters<typeof givenConnection>[1];
    readonly client?: NonNullable<Parameters<typeof givenConversion>[1]>['client'];
    readonly isTest?: boolean;
  }

  /** A feedback row that may be sent now. */
  const givenFeedback = async ({ account, connection: options, client, isTest = false }: Wanted = {}) => {
    const em = database.em();
    const owner = account ? em.merge(account) : await givenAccount(em);
    const connection = await givenConnection(em, { account: owner, ...options });
    const conversion = await givenConversion(em, {
      account: owner,
      client: client ?? { email: 'ana@x.example' },
      isTest,
    });
    const feedback = em.create(Feedback, { account: owner, conversion, connection });
    await em.flush();
    return { id: feedback.id, connectionId: connection.id };
  };
  const stored = (id: number) => database.em().findOneOrFail(Feedback, id);
  const attemptsOf = (feedback: number) =>
    database.em().find(FeedbackAttempt, { feedback }, { orderBy: { id: 'asc' } });

  it.each(['meta', 'google'] as const)('is delivered to %s, and the attempt is on record', async (platform) => {
    const { id } = await givenFeedback({ connection: { platform } });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'delivered', attempts: 1, reason: null });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: 'delivered', httpStatus: 200 }]);
  });

  it.each(['meta', 'google'] as const)('is kept from %s where the visitor refused to be shared', async (platform) => {
    const client = { email: 'ana@x.example', lead: { consent: false, consentScope: 'sharing' } } as const;
    const { id } = await givenFeedback({ connection: { platform }, client });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'skipped', reason: 'consent', attempts: 0 });
    expect(await attemptsOf(id)).toEqual([]);
  });

  it.each(['meta', 'google'] as const)('tells %s, and it takes, what the visitor chose', async (platform) => {
    const leads = [
      { consent: true, consentScope: 'sharing' },
      { consent: false, consentScope: 'personalisation' },
      { globalPrivacyControl: true },
    ] as const;
    for (const lead of leads) {
      const { id } = await givenFeedback({ connection: { platform }, client: { email: 'ana@x.example', lead } });
      await deliver(id);
      expect(await stored(id)).toMatchObject({ state: 'delivered' });
    }
  });

  it('is sent once, however many copies of its message arrive', async () => {
    const { id } = await givenFeedback();
    await Promise.all(Array.from({ length: 20 }, () => deliver(id)));
    await deliver(id);
    expect(await attemptsOf(id)).toHaveLength(1);
  });

  it('is skipped, with the reason, when there is nothing to match on', async () => {
    const { id } = await givenFeedback({ connection: { platform: 'google' }, client: { externalReference: 'C' } });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'skipped', reason: 'no_match_keys', attempts: 0 });
    expect(await attemptsOf(id)).toEqual([]);
  });

  it('of a test goes to Meta as a test event, or not at all where no code is set up', async () => {
    await fetch(`${sandbox.url}/events`, { method: 'DELETE' });
    const settings = { pixelId: '1234567890', testEventCode: 'TEST7' };
    const test = await givenFeedback({ isTest: true, connection: { settings } });
    const live = await givenFeedback({ connection: { settings } });
    const without = await givenFeedback({ isTest: true });
    for (const { id } of [test, live, without]) await deliver(id);
    expect(await stored(test.id)).toMatchObject({ state: 'delivered' });
    expect(await stored(live.id)).toMatchObject({ state: 'delivered' });
    expect(await stored(without.id)).toMatchObject({ state: 'skipped', reason: 'no_test_event_code', attempts: 0 });
    const events = z.array(z.object({ testEventCode: z.string().optional() }));
    const received = events.parse(await (await fetch(`${sandbox.url}/events`)).json());
    expect(received.map(({ testEventCode }) => testEventCode)).toEqual([undefined, 'TEST7']);
  });

  it('of a test is checked by Google and not counted', async () => {
    await fetch(`${sandbox.url}/events`, { method: 'DELETE' });
    const { id } = await givenFeedback({ isTest: true, connection: { platform: 'google' } });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(await (await fetch(`${sandbox.url}/events`)).json()).toEqual([]);
  });

  it('waits at least ten seconds for its next attempt when the platform is down', async () => {
    await fetch(`${sandbox.url}/behaviour`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ platform: 'meta', answer: 'server-error', times: 1 }),
    });
    const { id } = await givenFeedback();
    await deliver(id);
    const row = await stored(id);
    expect(row).toMatchObject({ state: 'pending', attempts: 1 });
    const [attempt] = await attemptsOf(id);
    expect(attempt).toMatchObject({ outcome: 'unavailable', httpStatus: 503 });
    const waitMs = row.heldUntil.getTime() - (attempt?.createdAt.getTime() ?? 0);
    expect(waitMs).toBeGreaterThanOrEqual(10_000);
    expect(waitMs).toBeLessThanOrEqual(20_000);
    expect(row.dueAt).toEqual(row.heldUntil);
  });

  it.each([
    ['meta', { accessToken: 'revoked' }],
    ['google', { clientId: 'c', clientSecret: 's', refreshToken: 'revoked' }],
  ] as const)(
    'waits for the operator when %s refuses the credentials, and holds nobody else back',
    async (platform, credentials) => {
      const { id, connectionId } = await givenFeedback({ connection: { platform, credentials } });
      const other = await givenFeedback({ connection: { platform } });
      await Promise.all([deliver(id), deliver(other.id)]);
      expect(await database.em().findOneOrFail(PlatformConnection, connectionId)).toMatchObject({
        state: 'needs_attention',
      });
      expect(await stored(id)).toMatchObject({ state: 'pending', attempts: 1 });
      await deliver(id);
      expect(await attemptsOf(id)).toMatchObject([{ outcome: 'refused' }]);
      expect(await stored(other.id)).toMatchObject({ state: 'delivered' });
    },
  );

  it('of a connection that is not active is not sent', async () => {
    const { id } = await givenFeedback({ connection: { state: 'needs_attention' } });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(await attemptsOf(id)).toEqual([]);
  });

  it('that we cannot send for a fault of ours is tried again later, and holds nobody else back', async () => {
    const { id } = await givenFeedback({ connection: { settings: { pixelId: 'not digits' } } });
    const other = await givenFeedback();
    await Promise.all([deliver(id), deliver(other.id)]);
    expect(await stored(id)).toMatchObject({ state: 'pending', reason: 'internal_error', attempts: 1 });
    expect(await stored(other.id)).toMatchObject({ state: 'delivered' });
  });

  /** Many feedback rows of one connection. */
  const givenBacklog = async (count: number, options: Parameters<typeof givenConnection>[1] = {}) => {
    const em = database.em();
    const account = await givenAccount(em);
    const connection = await givenConnection(em, { account, ...options });
    const ids = [];
    for (let place = 0; place < count; place += 1) {
      const conversion = await givenConversion(em, { account, client: { email: 'ana@x.example' } });
      const feedback = em.create(Feedback, { account, conversion, connection });
      await em.flush();
      ids.push(feedback.id);
    }
    return { ids, connectionId: connection.id };
  };

  it('of many conversions is delivered in few requests, each event once', async () => {
    await fetch(`${sandbox.url}/events`, { method: 'DELETE' });
    const { ids } = await givenBacklog(60);
    await Promise.all(ids.map((id) => deliver(id)));
    const rows = await database.em().find(Feedback, { id: { $in: ids } });
    expect(rows.every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(true);
    const events: unknown = await (await fetch(`${sandbox.url}/events`)).json();
    expect(events).toHaveLength(60);
  });

  it('of a connection that is refused amid a backlog is parked, while that of others is delivered once', async () => {
    const refused = await givenBacklog(150, { credentials: { accessToken: 'revoked' } });
    const healthy = await givenBacklog(50);
    await Promise.all([...refused.ids, ...healthy.ids].map((id) => deliver(id)));
    // whatever was in flight when the connection was refused finds it parked by now
    await Promise.all(refused.ids.map((id) => deliver(id)));
    const parked = { id: { $in: refused.ids }, state: 'pending', dueAt: { $gt: new Date('9999-01-01') } } as const;
    expect(await database.em().count(Feedback, parked)).toBe(150);
    const delivered = { id: { $in: healthy.ids }, state: 'delivered', attempts: 1 } as const;
    expect(await database.em().count(Feedback, delivered)).toBe(50);
  });
});
