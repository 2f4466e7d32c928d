import { Feedback, PlatformConnection, PlatformRequest } from '@leadback/db';
import type { PlatformName } from '@leadback/domain';
import { givenAdjustment, givenFeedback } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenWorker, type TestWorker } from './given-worker.ts';

const eventsSchema = z.array(
  z.object({
    event: z.object({ event_id: z.string(), event_name: z.string(), custom_data: z.object({ value: z.number() }) }),
  }),
);

describe('delivering adjustments', () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await givenWorker();
  });
  afterAll(() => worker[Symbol.asyncDispose]());

  type Adjustment = Partial<Omit<Parameters<typeof givenAdjustment>[1], 'conversion'>>;

  /** A conversion of 10.00 with a delivery that is due, and a function that adjusts it. */
  const given = async (platform: PlatformName, settings?: unknown) => {
    const connection = settings === undefined ? { platform } : { platform, settings };
    const { id, connectionId } = await worker.givenFeedback({ connection });
    const em = worker.database.em();
    const { conversion } = await em.findOneOrFail(Feedback, id, { populate: ['conversion'] });
    const via = await em.findOneOrFail(PlatformConnection, connectionId);
    if (!conversion) throw new Error('the delivery has no conversion');
    const adjust = async (changes: Adjustment = {}) => {
      const adjustment = await givenAdjustment(em, { conversion: conversion.$, ...changes });
      return (await givenFeedback(em, { connection: via, adjustment })).id;
    };
    return { id, connectionId, eventId: conversion.$.eventId ?? String(conversion.$.id), adjust };
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
  const confirmAll = () =>
    worker.database.em().nativeUpdate(PlatformRequest, { lookAt: { $ne: null } }, { lookAt: null });

  it('overwrites the value at Google after it has confirmed the conversion, and notes that the count is kept', async () => {
    const { id, eventId, adjust } = await given('google');
    const restated = await adjust({ kind: 'restate', amount: '6.50' });
    const retracted = await adjust({ previousAmount: '6.50' });
    expect(await deliverDue(restated)).toMatchObject({ state: 'pending', reason: 'original_pending', attempts: 0 });
    await worker.deliver([id]);
    expect(await deliverDue(restated)).toMatchObject({ state: 'pending', reason: 'original_unconfirmed' });
    await confirmAll();
    expect(await deliverDue(retracted)).toMatchObject({ state: 'pending', reason: 'earlier_adjustment_pending' });
    expect(await deliverDue(restated)).toMatchObject({ state: 'delivered', attempts: 1, eventNote: null });
    expect(await at('/conversions')).toMatchObject([{ id: eventId, value: 6.5, events: 2 }]);
    const delivered = { state: 'delivered', eventNote: expect.stringContaining('count kept') };
    expect(await deliverDue(retracted)).toMatchObject(delivered);
    expect(await at('/conversions')).toMatchObject([{ id: eventId, value: 0, events: 3 }]);
  });

  it('tells Meta what was taken back, with an event and an id of its own', async () => {
    const { id, eventId, adjust } = await given('meta', { pixelId: '31', refundEvent: 'Refund' });
    await worker.deliver([id]);
    const lower = await adjust({ kind: 'restate', amount: '7.00' });
    const higher = await adjust({ kind: 'restate', amount: '12.00', previousAmount: '7.00' });
    const none = await adjust({ previousAmount: '12.00' });
    for (const [one, state] of [
      [lower, { state: 'delivered', reason: null }],
      [higher, { state: 'skipped', reason: 'not_supported' }],
      [none, { state: 'delivered', reason: null }],
    ] as const)
      expect(await deliverDue(one)).toMatchObject(state);
    const events = eventsSchema.parse(await eventsOf('31'));
    const told = events.map(({ event }) => event);
    expect(told.map(({ event_name: name }) => name)).toEqual(['Refund', 'Refund', 'Purchase']);
    expect(told.map(({ custom_data: data }) => data)).toMatchObject([{ value: 7 }, { value: 3 }, { value: 10 }]);
    expect(new Set(told.map(({ event_id: name }) => name)).size).toBe(3);
    for (const { event_id: name } of told) expect(name.startsWith(eventId)).toBe(true);
  });

  it.each(['meta', 'tiktok', 'linkedin', 'microsoft'] as const)(
    'skips adjustments for %s, which cannot be told, without waiting for the conversion',
    async (platform) => {
      const { id, adjust } = await given(platform);
      const skipped = await deliverDue(await adjust());
      expect(skipped).toMatchObject({ state: 'skipped', reason: 'not_supported' });
      expect(await worker.stored(id)).toMatchObject({ state: 'pending' });
    },
  );

  it('does not tell a platform of adjustments of a conversion that it does not have', async () => {
    const { id, adjust } = await given('google');
    await worker.behave({ platform: 'google', answer: 'bad-event', times: 1 });
    await worker.deliver([id]);
    expect(await worker.stored(id)).toMatchObject({ state: 'failed' });
    const before = await at('/conversions');
    const skipped = await deliverDue(await adjust());
    expect(skipped).toMatchObject({ state: 'skipped', reason: 'original_not_delivered' });
    expect(await at('/conversions')).toEqual(before);
  });

  it('sends an adjustment and a conversion that share a parcel, each as what it is', async () => {
    const { id, connectionId, adjust } = await given('meta', { pixelId: '32', refundEvent: 'Refund' });
    await worker.deliver([id]);
    const [more = 0] = await worker.givenMore(1, connectionId);
    const refund = await adjust();
    await worker.database.pool.query(
      `with gone as (
         delete from feedback_due where id = (select parcel_id from feedback where id = $1) returning id
       ), kept as (
         update feedback_due set feedback_ids = array[$2::bigint, $1]
         where id = (select parcel_id from feedback where id = $2) returning id
       )
       update feedback set parcel_id = kept.id from kept, gone where feedback.id = $1`,
      [refund, more],
    );
    await worker.deliver([more]);
    expect([await worker.stored(more), await worker.stored(refund)]).toMatchObject([
      { state: 'delivered' },
      { state: 'delivered' },
    ]);
  });
});
