import { PlatformConnection } from '@leadback/db';
import { platformNames } from '@leadback/domain';
import { eventually } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenWorker, type TestWorker } from './given-worker.ts';

describe('deliveries', () => {
  let worker: TestWorker;
  let givenDelivery: TestWorker['givenDelivery'];
  let stored: TestWorker['stored'];
  let attemptsOf: TestWorker['attemptsOf'];
  let deliver: (deliveryId: number) => Promise<void>;
  let sandbox: TestWorker['sandbox'];
  let database: TestWorker['database'];

  beforeAll(async () => {
    worker = await givenWorker();
    ({ givenDelivery, stored, attemptsOf, sandbox, database } = worker);
    deliver = (deliveryId) => worker.deliver([deliveryId]);
  });
  afterAll(() => worker[Symbol.asyncDispose]());

  it.each(platformNames)('delivers deliveries to %s and records the attempt', async (platform) => {
    const { id } = await givenDelivery({ connection: { platform } });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'delivered', attempts: 1, reason: null });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: 'delivered', httpStatus: 200 }]);
  });

  it('sends deliveries once, however many copies of its hint arrive', async () => {
    const { id } = await givenDelivery();
    await Promise.all(Array.from({ length: 20 }, () => deliver(id)));
    await deliver(id);
    expect(await attemptsOf(id)).toHaveLength(1);
  });

  it('skips deliveries with a reason if it has no data to match on', async () => {
    const { id } = await givenDelivery({ connection: { platform: 'google' }, client: { externalReference: 'C' } });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'skipped', reason: 'no_match_keys', attempts: 0 });
    expect(await attemptsOf(id)).toEqual([]);
  });

  it.each([
    ['meta', { pixelId: '1234567890', testEventCode: 'TEST7' }],
    ['tiktok', { pixelCode: 'C17TA5JC77UDOT6CA5FG', testEventCode: 'TEST7' }],
  ] as const)(
    'sends a test conversion to %s as a test event, or skips it if no test event code is configured',
    async (platform, settings) => {
      await fetch(`${sandbox.url}/events`, { method: 'DELETE' });
      const test = await givenDelivery({ isTest: true, connection: { platform, settings } });
      const live = await givenDelivery({ connection: { platform, settings } });
      const without = await givenDelivery({ isTest: true, connection: { platform } });
      for (const { id } of [test, live, without]) await deliver(id);
      expect(await stored(test.id)).toMatchObject({ state: 'delivered' });
      expect(await stored(live.id)).toMatchObject({ state: 'delivered' });
      expect(await stored(without.id)).toMatchObject({ state: 'skipped', reason: 'no_test_event_code', attempts: 0 });
      const events = z.array(z.object({ testEventCode: z.string().optional() }));
      const received = events.parse(await (await fetch(`${sandbox.url}/events`)).json());
      expect(received.map(({ testEventCode }) => testEventCode)).toEqual([undefined, 'TEST7']);
    },
  );

  it('sends a test conversion to Google for validation only', async () => {
    await fetch(`${sandbox.url}/events`, { method: 'DELETE' });
    const { id } = await givenDelivery({ isTest: true, connection: { platform: 'google' } });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(await (await fetch(`${sandbox.url}/events`)).json()).toEqual([]);
  });

  it.each(['linkedin', 'microsoft'] as const)(
    'skips a test conversion for %s, which would count it',
    async (platform) => {
      const { id } = await givenDelivery({ isTest: true, connection: { platform } });
      await deliver(id);
      expect(await stored(id)).toMatchObject({ state: 'skipped', reason: 'no_test_mode', attempts: 0 });
    },
  );

  it('waits at least ten seconds before the next attempt while the platform is unavailable', async () => {
    await worker.behave({ platform: 'meta', answer: 'server-error', times: 1 });
    const { id } = await givenDelivery();
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'pending', attempts: 1 });
    const [attempt] = await attemptsOf(id);
    expect(attempt).toMatchObject({ outcome: 'unavailable', httpStatus: 503 });
    const { notBefore } = await worker.parcelOf(id);
    const waitMs = notBefore.getTime() - (attempt?.createdAt.getTime() ?? 0);
    expect(waitMs).toBeGreaterThanOrEqual(10_000);
    expect(waitMs).toBeLessThanOrEqual(20_000);
  });

  it.each([
    ['meta', { accessToken: 'revoked' }],
    ['google', { clientId: 'c', clientSecret: 's', refreshToken: 'revoked' }],
    ['tiktok', { accessToken: 'revoked' }],
    ['linkedin', { accessToken: 'revoked' }],
    ['microsoft', { developerToken: 'd', clientId: 'c', clientSecret: 's', refreshToken: 'revoked' }],
  ] as const)(
    'deliveries waits for the operator if %s rejects the credentials, and does not delay other connections',
    async (platform, credentials) => {
      const { id, connectionId } = await givenDelivery({ connection: { platform, credentials } });
      const other = await givenDelivery({ connection: { platform } });
      await Promise.all([deliver(id), deliver(other.id)]);
      // a slow machine may have postponed or retried one of them: the worker's search for due parcels delivers it
      await eventually(async () => {
        expect(await database.em().findOneOrFail(PlatformConnection, connectionId)).toMatchObject({
          state: 'needs_attention',
        });
        expect(await stored(other.id)).toMatchObject({ state: 'delivered' });
      });
      await deliver(id);
      expect(await stored(id)).toMatchObject({ state: 'pending' });
      const outcomes = (await attemptsOf(id)).map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome !== 'unavailable')).toEqual(['refused']);
    },
  );

  it('skips deliveries that is too old for its platform, without an attempt', async () => {
    const { id } = await givenDelivery({ occurredAt: new Date(Date.now() - 8 * 24 * 3_600_000) });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'skipped', reason: 'event_too_old', attempts: 0 });
    expect(await attemptsOf(id)).toEqual([]);
  });

  it('counts no attempt when the platform throttles', async () => {
    await worker.behave({ platform: 'meta', answer: 'rate-limited', times: 1 });
    const { id } = await givenDelivery();
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: 'throttled', httpStatus: 429 }]);
  });

  it('leaves deliveries of a connection that is not active untouched', async () => {
    const { id } = await givenDelivery({ connection: { state: 'needs_attention' } });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(await attemptsOf(id)).toEqual([]);
  });

  it('deliveries waits for the operator if the settings are invalid, and the connection names the setting', async () => {
    const { id, connectionId } = await givenDelivery({ connection: { settings: { pixelId: 'not digits' } } });
    await deliver(id);
    const connection = await database.em().findOneOrFail(PlatformConnection, connectionId);
    expect(connection.state).toBe('needs_attention');
    expect(connection.stateReason).toContain('pixelId');
    expect(await stored(id)).toMatchObject({ state: 'pending' });
  });

  it('retries deliveries after an internal error, and does not delay other connections', async () => {
    const { id, connectionId } = await givenDelivery({ connection: { state: 'paused' } });
    await database.pool.query(`update platform_connection set credentials = 'torn', state = 'active' where id = $1`, [
      connectionId,
    ]);
    const other = await givenDelivery();
    await Promise.all([deliver(id), deliver(other.id)]);
    expect(await stored(id)).toMatchObject({ state: 'pending', reason: 'internal_error', attempts: 1 });
    expect(await stored(other.id)).toMatchObject({ state: 'delivered' });
  });
});
