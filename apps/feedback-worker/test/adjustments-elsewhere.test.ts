import { Delivery, PlatformConnection } from '@leadback/db';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { platformRegistry } from '@leadback/platforms';
import { createLogger, createMetrics } from '@leadback/server/app';
import { givenContacts, secretsKeys, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { parcelSpans, parcelSending } from '../src/parcels.ts';
import { workerEvents } from '../src/events.ts';
import { connectionLanes } from '../src/lanes.ts';
import { givenAdjustments } from './given-adjustments.ts';
import { givenWorker } from './given-worker.ts';

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
