import { resumeConnection } from '@leadback/core/connections/store';
import { readFunnels } from '@leadback/core/quality/funnel';
import { Conversion, Delivery, DeliveryDue, PlatformConnection, PlatformRequest } from '@leadback/db';
import { platformSandbox } from '@leadback/platform-sandbox';
import { platformRegistry } from '@leadback/platforms';
import { createLogger, createMetrics, repeat } from '@leadback/server/app';
import {
  eventually,
  givenAdjustment,
  givenConnection,
  givenDatabase,
  givenDelivery,
  givenPlatformRequest,
  givenServer,
  secretsKeys,
  shared,
  openPatientPool,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { workerEvents } from '../src/events.ts';
import { requestStatusPoller } from '../src/request-status.ts';
import { type TestWorker, givenWorker } from './given-worker.ts';

const acceptedSchema = z.object({ requestId: z.string() });
const minutesUntil = (time: Date | null | undefined) =>
  ((time?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now()) / 60_000;

describe('the request status poller', async () => {
  const database = await shared(givenDatabase());
  const sandbox = await shared(givenServer(platformSandbox()));

  const metrics = createMetrics('feedback-worker');
  const events = workerEvents(createLogger('feedback-worker', 'silent'), metrics);

  const post = (method: string, path: string, body: unknown) =>
    fetch(sandbox.url + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: 'Bearer ya29.test' },
      body: JSON.stringify(body),
    });

  /** The name of a request that the sandbox has accepted and reports `processing` for. */
  const givenTaken = async (count: number, processing?: unknown, gclid = 'a') => {
    await post('PUT', '/behaviour', { platform: 'google', answer: 'ok', processing });
    const account = { accountType: 'GOOGLE_ADS', accountId: '1234567890' };
    const event = { transactionId: '1', eventTimestamp: new Date(), eventSource: 'WEB', adIdentifiers: { gclid } };
    const response = await post('POST', '/v1/events:ingest', {
      destinations: [{ operatingAccount: account, productDestinationId: '1' }],
      events: Array.from({ length: count }, () => event),
    });
    return acceptedSchema.parse(await response.json()).requestId;
  };

  const givenRequest = async (deliveries: number, processing?: unknown) =>
    givenPlatformRequest(database.em(), { name: await givenTaken(deliveries, processing), deliveries });
  const usedCount = async () => {
    const used = /leadback_platform_verdicts_total\{.*platform="google",verdict="used".*\} (\d+)/;
    return Number(used.exec(await metrics.metrics())?.[1] ?? 0);
  };
  const request = (id: number) => database.em().findOneOrFail(PlatformRequest, id);
  const deliveries = (ids: readonly number[]) => database.em().find(Delivery, { id: { $in: [...ids] } });

  /** Polls until every request was checked and its result saved. */
  const watch = async (...ids: readonly number[]) => {
    const { url } = sandbox;
    const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: url });
    await using own = await openPatientPool({ url: database.urlOf('feedback-worker'), applicationName: 'worker test' });
    await using _watch = repeat({
      everyMs: 10,
      round: requestStatusPoller({ pool: own.pool, secretsKeys, platforms, events }),
      onFailure: () => {},
    });
    await eventually(async () => {
      const rows = await Promise.all(ids.map(request));
      // a request that is only leased becomes due again in a minute
      expect(rows.filter((row) => minutesUntil(row.checkAt) < 2)).toEqual([]);
    });
  };

  it('leaves deliveries that Google has used unchanged', async () => {
    const { id, deliveries: ids } = await givenRequest(2);
    await watch(id);
    expect(await request(id)).toMatchObject({ verdict: { kind: 'final', events: 2, findings: [] }, checks: 1 });
    const used = { state: 'delivered', note: null };
    expect(await deliveries(ids)).toMatchObject([used, used]);
  });

  it('fails deliveries that Google could not use', async () => {
    const errors = [{ reason: 'CLICK_NOT_FOUND', recordCount: 1 }];
    const { id, deliveries: ids } = await givenRequest(1, { status: 'FAILED', errors });
    await watch(id);
    expect(await deliveries(ids)).toMatchObject([{ state: 'failed', reason: 'CLICK_NOT_FOUND' }]);
  });

  it.each([
    ['a template that nobody filled', '{gclid}', 'INVALID_GCLID'],
    ['a whole cookie', 'GCL.1693312345.EAIaIQobChMI1234', 'INVALID_GCLID'],
    ['a later click', '0fffffffffff70008000012345678901', 'CONVERSION_PRECEDES_CLICK'],
  ])('fails deliveries in the words of Google if it could not use %s', async (_click, gclid, reason) => {
    const name = await givenTaken(1, undefined, gclid);
    const { id, deliveries: ids } = await givenPlatformRequest(database.em(), { name, deliveries: 1 });
    await watch(id);
    expect(await deliveries(ids)).toMatchObject([{ state: 'failed', reason }]);
  });

  it('sends a click that is too recent for Google again after six hours', async () => {
    const errors = [{ reason: 'TOO_RECENT_CLICK', recordCount: 1 }];
    const { id, deliveries: ids } = await givenRequest(1, { status: 'FAILED', errors });
    await watch(id);
    const [row] = await deliveries(ids);
    expect(row).toMatchObject({ state: 'pending', reason: 'TOO_RECENT_CLICK' });
    const parcel = await database.em().findOneOrFail(DeliveryDue, row?.parcelId ?? 0);
    expect(Math.round(minutesUntil(parcel.notBefore))).toBe(360);
  });

  it('adds a note to each delivery if Google reports a finding about some of them', async () => {
    const errors = [{ reason: 'CLICK_NOT_FOUND', recordCount: 2 }];
    const { id, deliveries: ids } = await givenRequest(3, { status: 'PARTIAL_SUCCESS', errors });
    await watch(id);
    const note =
      'Google could not use 2 of the 3 events in the request: CLICK_NOT_FOUND (2); Google does not report which ones';
    const noted = { state: 'delivered', note };
    expect(await deliveries(ids)).toMatchObject([noted, noted, noted]);
  });

  it('checks again, each time later, while Google is processing the request or is unavailable', async () => {
    const { id: processing } = await givenRequest(1, { status: 'PROCESSING' });
    const { id: unknown } = await givenPlatformRequest(database.em(), { name: 'never-was' });
    await database.pool.query('update platform_request set checks = 2 where id = $1', [unknown]);
    await watch(processing, unknown);
    const rows = [await request(processing), await request(unknown)];
    expect(rows.map(({ checks, checkAt }) => [checks, Math.round(minutesUntil(checkAt))])).toEqual([
      [1, 30],
      [3, 120],
    ]);
  });

  it('stops checking the request status after three days and adds a note', async () => {
    const { id, deliveries: ids } = await givenRequest(1, { status: 'PROCESSING' });
    await database.pool.query(
      `update platform_request set created_at = now() - interval '3 days', checks = 9 where id = $1`,
      [id],
    );
    await watch(id);
    expect(await request(id)).toMatchObject({ checkAt: null, verdict: { kind: 'processing' } });
    const note = 'Google has not reported the request status';
    expect(await deliveries(ids)).toMatchObject([{ state: 'delivered', note }]);
  });

  it('checks other requests if one connection cannot be opened', async () => {
    const em = database.em();
    const connection = await givenConnection(em, { platform: 'google', settings: { customerId: 'none' } });
    const broken = await givenPlatformRequest(em, { connection });
    const { id } = await givenRequest(1);
    await watch(broken.id, id);
    expect(await request(id)).toMatchObject({ verdict: { kind: 'final' } });
    expect(await request(broken.id)).toMatchObject({ verdict: null, checks: 1 });
  });

  it('counts the results of request status checks', async () => {
    const { id } = await givenRequest(1);
    const before = await usedCount();
    await watch(id);
    await eventually(async () => expect(await usedCount()).toBe(before + 1));
  });
});

it('a conversion that Google later reports as too old is skipped, with the attempt on record', async () => {
  await using worker = await givenWorker();
  const { database, sandbox } = worker;
  const errors = [{ reason: 'EVENT_TOO_OLD', recordCount: 1 }];
  await worker.behave({ platform: 'google', answer: 'ok', processing: { status: 'FAILED', errors } });
  const { id } = await worker.givenDelivery({ connection: { platform: 'google' } });
  await worker.deliver([id]);
  expect(await worker.stored(id)).toMatchObject({ state: 'delivered' });
  await database.pool.query('update platform_request set check_at = now()');

  const metrics = createMetrics('feedback-worker');
  const events = workerEvents(createLogger('feedback-worker', 'silent'), metrics);
  const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: sandbox.url });
  await using _watch = repeat({
    everyMs: 10,
    round: requestStatusPoller({ pool: worker.pool, secretsKeys, platforms, events }),
    onFailure: () => {},
  });
  await eventually(async () => {
    expect(await worker.stored(id)).toMatchObject({ state: 'skipped', reason: 'event_too_old', attempts: 1 });
    expect(await metrics.metrics()).toMatch(/platform_verdicts_total\{.*platform="google",verdict="skipped".*\} 1/);
  });
  expect(await worker.attemptsOf(id)).toMatchObject([{ outcome: 'delivered' }]);
});

it('a conversion that Google could not use because of unsigned terms waits for the operator and is sent after the resume', async () => {
  await using worker = await givenWorker();
  const { database, sandbox } = worker;
  const errors = [{ reason: 'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED', recordCount: 1 }];
  await worker.behave({ platform: 'google', answer: 'ok', processing: { status: 'FAILED', errors } });
  const { id, connectionId } = await worker.givenDelivery({ connection: { platform: 'google' } });
  const deliver = () => worker.deliver([id]);
  const connection = () => database.em().findOneOrFail(PlatformConnection, connectionId);

  await deliver();
  expect(await worker.stored(id)).toMatchObject({ state: 'delivered' });
  await database.pool.query('update platform_request set check_at = now()');
  const events = workerEvents(createLogger('feedback-worker', 'silent'), createMetrics('feedback-worker'));
  const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: sandbox.url });
  await using _watch = repeat({
    everyMs: 10,
    round: requestStatusPoller({ pool: worker.pool, secretsKeys, platforms, events }),
    onFailure: () => {},
  });
  await eventually(async () => expect(await connection()).toMatchObject({ state: 'needs_attention' }));
  const { stateReason } = await connection();
  expect(stateReason).toMatch(/^DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED: /);
  expect(platforms.google.remedyFor(stateReason ?? '').words.en).toContain('accept its terms');

  await worker.behave({ platform: 'google', answer: 'ok' });
  await deliver();
  expect(await worker.stored(id)).toMatchObject({ state: 'pending', attempts: 1 });
  expect(await resumeConnection(database.em(), connectionId)).toBe(1);
  await deliver();
  // the worker may have found the row by itself
  await eventually(async () =>
    expect(await worker.stored(id)).toMatchObject({ state: 'delivered', attempts: 2, reason: null }),
  );
  expect(await database.em().count(PlatformRequest, { connection: connectionId, checkAt: { $ne: null } })).toBe(1);
});

/** Makes the status of all requests due and checks it until no request is open. */
const closeRequests = async (worker: TestWorker, metrics = createMetrics('feedback-worker')) => {
  await worker.database.pool.query('update platform_request set check_at = now() where check_at is not null');
  const events = workerEvents(createLogger('feedback-worker', 'silent'), metrics);
  const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: worker.sandbox.url });
  await using _watch = repeat({
    everyMs: 10,
    round: requestStatusPoller({ pool: worker.pool, secretsKeys, platforms, events }),
    onFailure: () => {},
  });
  await eventually(async () =>
    expect(await worker.database.em().count(PlatformRequest, { checkAt: { $ne: null } })).toBe(0),
  );
};

const isNamed = (place: number) => place === 3 || place === 17;

const sentEventsSchema = z.array(z.object({ event: z.object({ transactionId: z.string() }) }));

describe('a request of which Google names the events that it did not use', async () => {
  const worker = await shared(givenWorker());
  const { database, sandbox } = worker;

  /** The conversions of deliveries, in the order in which Google has received their events. */
  const givenSent = async (rows: number, processing: unknown) => {
    await worker.behave({ platform: 'google', answer: 'ok', processing });
    await fetch(`${sandbox.url}/events`, { method: 'DELETE' });
    // two parcels, which share a request
    const { ids, connectionId } = await worker.givenBacklog(rows, { platform: 'google', parcelSize: rows - 15 });
    await worker.deliver(ids);
    const received = sentEventsSchema.parse(await (await fetch(`${sandbox.url}/events`)).json()).toReversed();
    const em = database.em();
    const found = await em.find(Delivery, { id: { $in: ids } }, { populate: ['conversion'] });
    const byEventId = new Map(found.map((delivery) => [delivery.conversion?.$.eventId, delivery]));
    const sent = received.flatMap(({ event }) => byEventId.get(event.transactionId) ?? []);
    expect(sent).toHaveLength(rows);
    expect(await em.count(PlatformRequest, { connection: connectionId })).toBe(1);
    return { connectionId, ids: sent.map(({ id }) => id), conversions: sent.map(({ conversion }) => conversion) };
  };

  it('of 40 conversions in one request, exactly the two that Google names fail, with its reason, and corrections of the other 38 are sent', async () => {
    const errors = [{ reason: 'CLICK_NOT_FOUND', recordIndices: [3, 17] }];
    const { ids, conversions, connectionId } = await givenSent(40, { status: 'PARTIAL_SUCCESS', errors });
    const em = database.em();
    const connection = await em.findOneOrFail(PlatformConnection, connectionId);
    const corrections: number[] = [];
    for (const one of conversions) {
      const conversion = await em.findOneOrFail(Conversion, one?.id ?? 0);
      const adjustment = await givenAdjustment(em, { conversion, kind: 'restate', amount: '4.00' });
      corrections.push((await givenDelivery(em, { connection, adjustment })).id);
    }
    const storedInOrder = async (wanted: readonly number[]) => {
      const rows = await database.em().find(Delivery, { id: { $in: [...wanted] } });
      return wanted.map((id) => rows.find((row) => row.id === id));
    };
    await worker.deliver(corrections);
    const held = { state: 'pending', reason: 'original_unconfirmed' };
    expect(await storedInOrder(corrections)).toMatchObject(corrections.map(() => held));

    await worker.behave({ platform: 'google', answer: 'ok' });
    const metrics = createMetrics('feedback-worker');
    await closeRequests(worker, metrics);
    const used = { state: 'delivered', reason: null, note: null, isConfirmed: true };
    const failed = { state: 'failed', reason: 'CLICK_NOT_FOUND', note: null, isConfirmed: false };
    expect(await storedInOrder(ids)).toMatchObject(ids.map((_, place) => (isNamed(place) ? failed : used)));
    expect(await metrics.metrics()).toMatch(/platform_verdicts_total\{.*platform="google",verdict="named".*\} 1/);

    const { account } = connection;
    const today = new Date().toISOString().slice(0, 10);
    const [funnel] = await readFunnels(
      database.pool,
      { accountId: account.id, isTest: false },
      { from: today, to: today },
    );
    expect(funnel?.total).toMatchObject({
      registered: { conversions: 40 },
      accepted: { conversions: 40 },
      processed: { conversions: 38 },
      losses: [{ step: 'processed', reason: 'CLICK_NOT_FOUND', conversions: 2 }],
    });

    await worker.makeDue(corrections);
    await worker.deliver(corrections);
    const skipped = { state: 'skipped', reason: 'original_not_delivered' };
    expect(await storedInOrder(corrections)).toMatchObject(
      corrections.map((_, place) => (isNamed(place) ? skipped : { state: 'delivered' })),
    );
  });

  it('a worker that is killed after sending, before it saves, learns from the next request that Google has the events', async () => {
    const { ids } = await givenSent(16, { status: 'SUCCESS' });
    // as if one parcel had not been saved: its events are sent again, and are the first and only ones of their request
    const lost = ids.slice(0, 1);
    await database.asOwner('delete from delivery_attempt where delivery_id = $1', lost);
    await database.pool.query(
      `with open as (
         insert into delivery_due (account_id, connection_id, delivery_ids)
         select account_id, connection_id, array[id] from delivery where id = $1 returning id
       ) update delivery f set state = 'pending', closed_at = null, parcel_id = open.id from open where f.id = $1`,
      lost,
    );
    const errors = [{ reason: 'DUPLICATE_TRANSACTION_ID', recordIndices: [0] }];
    await worker.behave({ platform: 'google', answer: 'ok', processing: { status: 'FAILED', errors } });
    await worker.deliver(lost);
    await closeRequests(worker);
    const rows = await database.em().find(Delivery, { id: { $in: ids } });
    expect(rows.map(({ state, isConfirmed }) => [state, isConfirmed])).toEqual(ids.map(() => ['delivered', true]));
  });

  it('sends again only the events that are too recent, and notes a warning at its own', async () => {
    const { ids } = await givenSent(16, {
      status: 'PARTIAL_SUCCESS',
      errors: [{ reason: 'TOO_RECENT_CLICK', recordIndices: [15] }],
      warnings: [{ reason: 'INTERNAL_ERROR', recordIndices: [0] }],
    });
    await closeRequests(worker);
    const rows = await database.em().find(Delivery, { id: { $in: ids } });
    const found = (id: number | undefined) => rows.find((row) => row.id === id);
    expect(found(ids[15])).toMatchObject({ state: 'pending', reason: 'TOO_RECENT_CLICK' });
    const note = 'Google used it with a warning: INTERNAL_ERROR';
    expect(found(ids[0])).toMatchObject({ state: 'delivered', note, isConfirmed: true });
    const others = ids.slice(1, 15).map(found);
    expect(others).toMatchObject(others.map(() => ({ state: 'delivered', note: null, isConfirmed: true })));
  });

  it('a field that Google left out of an event is named in the note of its delivery alone', async () => {
    const fieldWarnings = [{ field: 'events.events[2].user_data', reason: 'WARNING_REASON_GENERIC' }];
    const { ids } = await givenSent(16, { status: 'SUCCESS', fieldWarnings });
    const rows = await database.em().find(Delivery, { id: { $in: ids } });
    const notes = new Map(rows.map(({ id, eventNote }) => [id, eventNote]));
    const warned = 'Google left out fields of the event: user_data (GENERIC)';
    expect(ids.map((id) => notes.get(id))).toEqual(ids.map((_, place) => (place === 2 ? warned : null)));
    await closeRequests(worker);
    expect(await worker.stored(ids[2] ?? 0)).toMatchObject({ eventNote: warned, isConfirmed: true });
  });
});
