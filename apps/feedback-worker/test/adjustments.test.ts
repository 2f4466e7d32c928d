import { parcelClaimer } from '@leadback/core/delivery/claim';
import { requeueDeliveries } from '@leadback/core/delivery/requeue';
import { Delivery, PlatformConnection, PlatformRequest } from '@leadback/db';
import type { PlatformName } from '@leadback/domain';
import { platformRegistry } from '@leadback/platforms';
import { createLogger, createMetrics } from '@leadback/server/app';
import { givenAdjustment, givenContacts, givenDelivery, secretsKeys, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { workerEvents } from '../src/events.ts';
import { connectionLanes } from '../src/lanes.ts';
import { parcelSending, parcelSpans } from '../src/parcels.ts';
import { type TestWorker, givenWorker } from './given-worker.ts';

const eventsSchema = z.array(
  z.object({
    event: z.object({ event_id: z.string(), event_name: z.string(), custom_data: z.object({ value: z.number() }) }),
  }),
);

describe('delivering adjustments', async () => {
  const worker = await shared(givenWorker());
  const { given, deliverDue, eventsOf, countedOf, confirmAll } = givenAdjustments(worker);

  it('overwrites the value at Google after it has confirmed the conversion, and notes that the count is kept', async () => {
    const { id, eventId, adjust } = await given('google');
    const restated = await adjust({ kind: 'restate', amount: '6.50' });
    expect(await deliverDue(restated)).toMatchObject({ state: 'pending', reason: 'original_pending', attempts: 0 });
    await worker.deliver([id]);
    expect(await deliverDue(restated)).toMatchObject({ state: 'pending', reason: 'original_unconfirmed' });
    await confirmAll();
    expect(await deliverDue(restated)).toMatchObject({ state: 'delivered', attempts: 1, eventNote: null });
    expect(await countedOf(eventId)).toMatchObject([{ value: 6.5, events: 2 }]);
    const retracted = await adjust({ previousAmount: '6.50' });
    const delivered = { state: 'delivered', eventNote: expect.stringContaining('count kept') };
    expect(await deliverDue(retracted)).toMatchObject(delivered);
    expect(await countedOf(eventId)).toMatchObject([{ value: 0, events: 3 }]);
  });

  it('tells Google only the last of several adjustments, after those before are closed, whenever they are claimed', async () => {
    const { id, eventId, adjust } = await given('google');
    await worker.deliver([id]);
    await confirmAll();
    const amounts = ['9.00', '8.00', '7.00', '6.00'];
    const ids: number[] = [];
    for (const amount of amounts) ids.push(await adjust({ kind: 'restate', amount }));
    const [last = 0, ...before] = ids.toReversed();
    expect(await deliverDue(last)).toMatchObject({ state: 'pending', reason: 'earlier_adjustment_pending' });
    for (const one of before) {
      expect(await deliverDue(one)).toMatchObject({ state: 'skipped', reason: 'superseded', attempts: 0 });
    }
    expect(await deliverDue(last)).toMatchObject({ state: 'delivered' });
    expect(await countedOf(eventId)).toMatchObject([{ value: 6, events: 2 }]);
  });

  it('tells Meta what was taken back, with an event and an id of its own', async () => {
    const { id, eventId, adjust } = await given('meta', { pixelId: '31', refundEvent: 'Refund' });
    await worker.deliver([id]);
    const lower = await adjust({ kind: 'restate', amount: '7.00' });
    const higher = await adjust({ kind: 'restate', amount: '12.00', previousAmount: '7.00' });
    const none = await adjust({ previousAmount: '12.00' });
    // each adds to the others, so that their order does not matter
    for (const [one, state] of [
      [none, { state: 'delivered', reason: null }],
      [higher, { state: 'skipped', reason: 'nothing_taken_back' }],
      [lower, { state: 'delivered', reason: null }],
    ] as const)
      expect(await deliverDue(one)).toMatchObject(state);
    const events = eventsSchema.parse(await eventsOf('31'));
    const told = events.map(({ event }) => event);
    expect(told.map(({ event_name: name }) => name)).toEqual(['Refund', 'Refund', 'Purchase']);
    expect(told.map(({ custom_data: data }) => data)).toMatchObject([{ value: 3 }, { value: 7 }, { value: 10 }]);
    expect(new Set(told.map(({ event_id: name }) => name)).size).toBe(3);
    for (const { event_id: name } of told) expect(name.startsWith(eventId)).toBe(true);
  });

  it.each(['meta', 'tiktok', 'linkedin', 'microsoft'] as const)(
    'skips adjustments for %s, which cannot be told, without waiting for the conversion',
    async (platform) => {
      // the worker may find the conversion by itself
      await worker.behave({ platform, answer: 'server-error' });
      const { id, adjust } = await given(platform);
      const skipped = await deliverDue(await adjust());
      expect(skipped).toMatchObject({ state: 'skipped', reason: 'not_supported' });
      expect(await worker.stored(id)).toMatchObject({ state: 'pending' });
      await worker.behave({ platform, answer: 'ok' });
    },
  );

  it('does not tell a platform of adjustments of a conversion that it does not have', async () => {
    const { id, eventId, adjust } = await given('google');
    await worker.behave({ platform: 'google', answer: 'bad-event', times: 1 });
    await worker.deliver([id]);
    expect(await worker.stored(id)).toMatchObject({ state: 'failed' });
    const skipped = await deliverDue(await adjust());
    expect(skipped).toMatchObject({ state: 'skipped', reason: 'original_not_delivered' });
    expect(await countedOf(eventId)).toEqual([]);
  });

  it('sends an adjustment and a conversion that share a parcel, each as what it is', async () => {
    const { id, connectionId, adjust } = await given('meta', { pixelId: '32', refundEvent: 'Refund' });
    await worker.deliver([id]);
    const [more = 0] = await worker.givenMore(1, connectionId);
    const refund = await adjust();
    await worker.database.pool.query(
      `with gone as (
         delete from delivery_due where id = (select parcel_id from delivery where id = $1) returning id
       ), kept as (
         update delivery_due set delivery_ids = array[$2::bigint, $1]
         where id = (select parcel_id from delivery where id = $2) returning id
       )
       update delivery set parcel_id = kept.id from kept, gone where delivery.id = $1`,
      [refund, more],
    );
    await worker.deliver([more]);
    expect([await worker.stored(more), await worker.stored(refund)]).toMatchObject([
      { state: 'delivered' },
      { state: 'delivered' },
    ]);
  });
});

type Adjustment = Partial<Omit<Parameters<typeof givenAdjustment>[1], 'conversion'>>;

interface Verdict {
  readonly kind: string;
  readonly events?: number;
  readonly reason?: string;
  readonly findings?: readonly { readonly meaning: string }[];
}

const used: Verdict = { kind: 'final', events: 1, findings: [] };

/** Conversions and adjustments for a worker, and what the sandbox knows of them. */
const givenAdjustments = (worker: TestWorker) => {
  /** A conversion of 10.00 with a delivery that is due, and a function that adjusts it. */
  const given = async (platform: PlatformName, settings?: unknown) => {
    const connection = settings === undefined ? { platform } : { platform, settings };
    const { id, connectionId } = await worker.givenDelivery({ connection });
    const em = worker.database.em();
    const { conversion } = await em.findOneOrFail(Delivery, id, { populate: ['conversion'] });
    const via = await em.findOneOrFail(PlatformConnection, connectionId);
    if (!conversion) throw new Error('the delivery has no conversion');
    const adjust = async (changes: Adjustment = {}) => {
      const adjustment = await givenAdjustment(em, { conversion: conversion.$, ...changes });
      return (await givenDelivery(em, { connection: via, adjustment })).id;
    };
    return { id, connectionId, eventId: conversion.$.eventId, adjust };
  };
  const deliverDue = async (id: number) => {
    await worker.makeDue([id]);
    await worker.deliver([id]);
    return worker.stored(id);
  };
  const at = async (path: string) => (await fetch(`${worker.sandbox.url}${path}`)).json();
  const eventsOf = async (connection: string) =>
    z
      .array(z.looseObject({ connection: z.string() }))
      .parse(await at('/events'))
      .filter((one) => one.connection === connection);
  /** What Google counts of a conversion. */
  const countedOf = async (eventId: string) =>
    z
      .array(z.looseObject({ id: z.string() }))
      .parse(await at('/conversions'))
      .filter(({ id }) => id === eventId);
  /** The platform reports the verdict of all requests, as the worker keeps it. */
  const confirmAll = async (verdict: Verdict | null = used) => {
    const isConfirmed = verdict?.findings?.every(({ meaning }) => meaning === 'warning') ?? false;
    await worker.database.pool.query(
      `update delivery set is_confirmed = $1 where state = 'delivered' and id in (
         select a.delivery_id from delivery_attempt a join platform_request r on r.name = a.platform_request
         where r.check_at is not null)`,
      [isConfirmed],
    );
    await worker.database.em().nativeUpdate(PlatformRequest, { checkAt: { $ne: null } }, { checkAt: null, verdict });
  };
  const change = (connectionId: number, changes: { readonly settings?: unknown; readonly eventNames?: object }) =>
    worker.database.pool.query(
      `update platform_connection set settings = settings || $2::jsonb, event_names = event_names || $3::jsonb where id = $1`,
      [connectionId, JSON.stringify(changes.settings ?? {}), JSON.stringify(changes.eventNames ?? {})],
    );
  const retry = async (id: number) => {
    await requeueDeliveries(worker.database.em(), [id]);
    return deliverDue(id);
  };

  return { given, deliverDue, eventsOf, countedOf, confirmAll, change, retry };
};

const finding = (meaning: string) => ({ kind: 'final', events: 2, findings: [{ meaning, reason: 'X', events: 1 }] });

describe('adjustments of conversions that are not known to be where the adjustment would go', async () => {
  const worker = await shared(givenWorker());
  const { given, deliverDue, eventsOf, countedOf, confirmAll, change, retry } = givenAdjustments(worker);

  it.each([
    ['says that it used some events of the request', finding('failed')],
    ['says that it did not use the event because of the settings there', finding('settings')],
    ['never reports the status of the request', { kind: 'processing' }],
    ['cannot be asked for the status of the request', { kind: 'unknown', reason: 'server_error' }],
  ])('tells Google of no adjustment if it %s, until the conversion is retried', async (_case, verdict) => {
    const { id, eventId, adjust } = await given('google');
    await worker.deliver([id]);
    await confirmAll(verdict);
    await worker.database.em().nativeUpdate(Delivery, { id }, { note: 'as the poller has written it' });
    const restated = await adjust({ kind: 'restate', amount: '6.00' });
    expect(await deliverDue(restated)).toMatchObject({ state: 'skipped', reason: 'original_uncertain' });
    expect(await countedOf(eventId)).toMatchObject([{ value: 10, events: 1 }]);

    expect(await retry(id)).toMatchObject({ state: 'delivered' });
    expect(await deliverDue(restated)).toMatchObject({ state: 'pending', reason: 'original_unconfirmed' });
    await confirmAll();
    expect(await deliverDue(restated)).toMatchObject({ state: 'delivered' });
    expect(await countedOf(eventId)).toMatchObject([{ value: 6, events: 3 }]);
  });

  it.each([
    ['sends', 'a warning about the event', finding('warning'), 'delivered'],
    ['skips', 'nothing on record', null, 'skipped'],
  ] as const)('%s an adjustment of a conversion that Google took with %s', async (_does, _case, verdict, state) => {
    const { id, adjust } = await given('google');
    await worker.deliver([id]);
    await confirmAll(verdict);
    if (verdict === null) await worker.database.asOwner('delete from delivery_attempt where delivery_id = $1', [id]);
    expect(await deliverDue(await adjust())).toMatchObject({ state });
  });

  it('goes by what the delivery of the conversion says itself, after retention has deleted the request', async () => {
    const { id, adjust } = await given('google');
    await worker.deliver([id]);
    await confirmAll(finding('failed'));
    await worker.database.em().nativeUpdate(Delivery, { id }, { isConfirmed: true });
    await worker.database.asOwner('delete from delivery_attempt where delivery_id = $1', [id]);
    expect(await deliverDue(await adjust())).toMatchObject({ state: 'delivered' });
  });

  it.each([
    ['another account', { settings: { customerId: '9999999999' } }],
    ['another conversion action', { settings: { conversionActionId: '5' } }],
    ['another conversion action for the event name', { eventNames: { trial: '5' } }],
  ])('sends Google no adjustment to %s than it sent the conversion to', async (_case, changes) => {
    const { id, connectionId, eventId, adjust } = await given('google');
    await worker.database.pool.query(
      `update conversion set event_name = 'trial' where id = (select conversion_id from delivery where id = $1)`,
      [id],
    );
    await worker.deliver([id]);
    await confirmAll();
    const { settings } = await worker.database.em().findOneOrFail(PlatformConnection, connectionId);
    await change(connectionId, changes);
    const restated = await adjust({ kind: 'restate', amount: '6.00' });
    expect(await deliverDue(restated)).toMatchObject({ state: 'skipped', reason: 'original_sent_elsewhere' });
    expect(await countedOf(eventId)).toMatchObject([{ value: 10, events: 1 }]);

    // a change by mistake, which is undone
    await worker.database.em().nativeUpdate(PlatformConnection, connectionId, { settings, eventNames: {} });
    expect(await retry(restated)).toMatchObject({ state: 'delivered' });
    expect(await countedOf(eventId)).toMatchObject([{ value: 6, events: 2 }]);
  });

  it('sends an adjustment after changes that do not move conversions, and after one before the conversion', async () => {
    const { id, connectionId, eventId, adjust } = await given('google');
    await change(connectionId, { settings: { conversionActionId: '6' } });
    await worker.deliver([id]);
    await confirmAll();
    await change(connectionId, { settings: { loginCustomerId: '8888888888' }, eventNames: { other: '5' } });
    expect(await deliverDue(await adjust({ kind: 'restate', amount: '6.00' }))).toMatchObject({ state: 'delivered' });
    expect(await countedOf(eventId)).toMatchObject([{ connection: '6', value: 6, events: 2 }]);
  });

  it('claims an adjustment again if the connection was changed after the claim: where it goes was not compared', async () => {
    const { id, connectionId, adjust } = await given('google');
    await worker.deliver([id]);
    await confirmAll();
    const { id: parcelId } = await worker.parcelOf(await adjust());
    const parcel = await parcelClaimer(worker.database.pool, givenContacts())(parcelId);
    if (!parcel) throw new Error('nothing was claimed');
    await change(connectionId, { settings: { conversionActionId: '7' } });
    const events = workerEvents(createLogger('feedback-worker', 'silent'), createMetrics('feedback-worker'));
    const lanes = connectionLanes({
      pool: worker.database.pool,
      platforms: platformRegistry({ PLATFORM_SANDBOX_URL: worker.sandbox.url }),
      secretsKeys,
      events,
      stopping: new AbortController().signal,
      onReady: () => {},
      platformMax: 1,
    });
    const lane = lanes.of(connectionId, 'google');
    const results = await parcelSending(events)(parcel, lane, parcelSpans(parcel, undefined));
    expect(results).toMatchObject([[{}, { next: { state: 'pending', reason: 'connection_changed', retryInMs: 0 } }]]);
  });

  it('tells Meta of no refund in another data set than that of the conversion', async () => {
    const { id, connectionId, adjust } = await given('meta', { pixelId: '33', refundEvent: 'Refund' });
    await worker.deliver([id]);
    await change(connectionId, { settings: { refundEvent: 'Returned', eventName: 'Sale' } });
    const first = await adjust({ kind: 'restate', amount: '6.00' });
    expect(await deliverDue(first)).toMatchObject({ state: 'delivered' });
    await change(connectionId, { settings: { pixelId: '34' } });
    expect(await deliverDue(await adjust())).toMatchObject({ state: 'skipped', reason: 'original_sent_elsewhere' });
    expect([(await eventsOf('33')).length, (await eventsOf('34')).length]).toEqual([2, 0]);
  });

  it.each([
    ['conversions', { settings: { eventName: 'Refund' } }],
    ['leads', { settings: { leadEventName: 'Refund' } }],
    ['an event name of the partner', { eventNames: { trial: 'Refund' } }],
  ])('goes on to tell Meta of conversions, but of no refund, if refunds are called like %s', async (_case, changes) => {
    const { id, connectionId, adjust } = await given('meta', { pixelId: '35', refundEvent: 'Refund' });
    await change(connectionId, changes);
    await worker.deliver([id]);
    expect(await worker.stored(id)).toMatchObject({ state: 'delivered' });
    expect(await deliverDue(await adjust())).toMatchObject({ state: 'skipped', reason: 'refund_event_taken' });
    const connection = await worker.database.em().findOneOrFail(PlatformConnection, connectionId);
    expect(connection.state).toBe('active');
  });
});
