import { shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenAdjustments } from './given-adjustments.ts';
import { givenWorker } from './given-worker.ts';

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
      const { id, adjust } = await given(platform);
      const skipped = await deliverDue(await adjust());
      expect(skipped).toMatchObject({ state: 'skipped', reason: 'not_supported' });
      expect(await worker.stored(id)).toMatchObject({ state: 'pending' });
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
