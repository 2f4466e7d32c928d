import { Delivery, DeliveryDue, PlatformRequest } from '@leadback/db';
import { type AdjustingRules, originalNotDelivered } from '@leadback/core/delivery/next-state';
import { requeueDeliveries } from '@leadback/core/delivery/requeue';
import {
  givenAdjustment,
  givenConnection,
  givenDatabase,
  givenDelivery,
  givenPlatformRequest,
  type TestDatabase,
} from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { adjusting, held } from '../../test/adjusting.ts';
import { comesDue, parcelOf, parcelViolations } from '../../test/parcels.ts';
import { delivered, settling } from '../../test/settling.ts';

describe('the deliveries of adjustments', () => {
  let database: TestDatabase;
  let given: ReturnType<typeof adjusting>['given'];
  let claimed: ReturnType<typeof adjusting>['claimed'];
  let set: ReturnType<typeof adjusting>['set'];
  let stored: ReturnType<typeof adjusting>['stored'];
  beforeAll(async () => {
    database = await givenDatabase();
    ({ given, claimed, set, stored } = adjusting(database));
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it.each(['conversion_id = null', 'client_id = 1', 'adjustment_id = 1'])(
    'a delivery of a conversion cannot be given another subject: %s',
    async (change) => {
      const { original } = await given('pending');
      const changed = database.pool.query(`update delivery set ${change} where id = $1`, [original]);
      await expect(changed).rejects.toMatchObject({ code: '23514' });
    },
  );

  it('a worker claims an adjustment with its conversion, and with what was taken back since the lowest total', async () => {
    const occurredAt = new Date('2026-11-21T12:00:00.123Z');
    const { conversion, first, second } = await given('delivered', [
      { kind: 'restate', amount: '120.00' },
      { kind: 'restate', amount: '79.50', previousAmount: '120.00', occurredAt },
    ]);
    expect((await claimed(first.id)).event).toMatchObject({ kind: 'restate', amount: '120.00', takenBack: '0' });
    expect((await claimed(second.id)).event).toEqual({
      kind: 'restate',
      id: second.adjustment,
      amount: '79.50',
      takenBack: '20.50',
      occurredAt,
      conversion: expect.objectContaining({ kind: 'conversion', id: conversion.id, amount: '100.00' }),
    });
  });

  it('an adjustment of a test is a test, and is counted from when it was made', async () => {
    const occurredAt = new Date('2026-11-21T12:00:00.000Z');
    const { first } = await given('delivered', [{ occurredAt }], { isTest: true });
    const parcel = await parcelOf(database, first.id);
    expect(parcel).toMatchObject({ isTest: true, oldestAt: occurredAt });
    expect((await claimed(first.id)).parcel.mode).toBe('test');
  });

  it.each([
    ['pending', { state: 'pending', reason: 'original_pending', isCounted: false }],
    ['failed', { state: 'skipped', reason: 'original_not_delivered' }],
    ['skipped', { state: 'skipped', reason: 'original_not_delivered' }],
  ] as const)('an adjustment whose conversion is %s is held back accordingly', async (state, next) => {
    const { first } = await given(state);
    const delivery = await claimed(first.id);
    expect(held(delivery)).toMatchObject(next);
  });

  it('an adjustment whose conversion is delivered is not held back', async () => {
    const { first } = await given('delivered');
    const delivery = await claimed(first.id);
    expect(held(delivery)).toBeUndefined();
  });

  it('an adjustment waits until the platform has reported the status of each request with its conversion', async () => {
    const em = database.em();
    const { id: request, deliveries, connection } = await givenPlatformRequest(em);
    const { conversion } = await em.findOneOrFail(Delivery, deliveries[0] ?? 0, { populate: ['conversion'] });
    if (!conversion) throw new Error('the delivery has no conversion');
    const adjustment = await givenAdjustment(em, { conversion: conversion.$ });
    const { id } = await givenDelivery(em, { connection, adjustment });
    const reasonNow = async () => {
      return held(await claimed(id))?.reason;
    };
    expect(await reasonNow()).toBe('original_unconfirmed');
    await em.nativeUpdate(PlatformRequest, { id: request }, { lookAt: null });
    expect(await reasonNow()).toBeUndefined();
  });

  it('an adjustment waits for earlier ones to the same connection, longer each time', async () => {
    const { first, second } = await given('delivered', [{}, {}]);
    const delivery = await claimed(second.id);
    const pauses = [0, 40_000, 86_400_000].map((ms) => held(delivery, { atMs: delivery.createdAtMs + ms })?.retryInMs);
    expect(pauses).toEqual([5_000, 10_000, 600_000]);
    expect(held(delivery)?.reason).toBe('earlier_adjustment_pending');
    expect(held(await claimed(first.id))).toMatchObject({ state: 'skipped', reason: 'superseded' });
  });

  it('an adjustment that is retried after a later one was delivered is superseded', async () => {
    const { first, second } = await given('delivered', [{}, {}]);
    await set(first.id, { state: 'failed' });
    const { send } = settling(database);
    const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: null, durationMs: 1 } as const;
    await send(second.id, { state: 'delivered', reason: null, retryInMs: null, isCounted: true, attempt });
    await requeueDeliveries(database.em(), [first.id]);
    expect(held(await claimed(first.id))).toMatchObject({ state: 'skipped', reason: 'superseded' });
  });

  it.each([
    [true, undefined],
    [false, 'original_uncertain'],
    [null, 'original_uncertain'],
  ])(
    'an adjustment at a platform that confirms conversions goes by what is stored: %s',
    async (isConfirmed, reason) => {
      const { original, first } = await given('delivered');
      await set(original, { isConfirmed });
      expect(held(await claimed(first.id), { areConfirmed: true })?.reason).toBe(reason);
    },
  );

  it('an adjustment is not sent if retention has deleted the delivery of its conversion', async () => {
    const { original, first } = await given('delivered');
    await database.asOwner('delete from delivery where id = $1', [original]);
    expect(held(await claimed(first.id))).toMatchObject({ state: 'skipped', reason: 'original_uncertain' });
  });

  it('adjustments that add to each other neither wait for each other nor supersede each other', async () => {
    const { first, second } = await given('delivered', [{}, {}]);
    expect(held(await claimed(second.id), { overwrite: false })).toBeUndefined();
    expect(held(await claimed(first.id), { overwrite: false })).toBeUndefined();
  });

  it('a claim knows the settings with which the conversion was sent, if they were changed since', async () => {
    const { connection, original, first, second } = await given('pending', [{}, {}]);
    const change = async (settings: object) => {
      await database.pool.query('update platform_connection set settings = $2 where id = $1', [
        connection.id,
        JSON.stringify(settings),
      ]);
    };
    await change({ customerId: '1' });
    const { send } = settling(database);
    const { version } = (await settling(database).claimed(original)).connection;
    await send(original, { ...delivered, sentVersion: version });
    await database.pool.query('update platform_connection set resumed_at = now() where id = $1', [connection.id]);
    expect((await claimed(first.id)).others).toMatchObject({ formerSettings: null });
    await change({ customerId: '2' });
    await change({ customerId: '3' });
    const delivery = await claimed(second.id);
    expect(delivery.others).toMatchObject({ formerSettings: { settings: { customerId: '1' }, eventNames: {} } });
    const wentElsewhere = vi.fn<AdjustingRules['wentElsewhere']>(() => true);
    expect(held(delivery, { wentElsewhere })).toMatchObject({ reason: 'original_sent_elsewhere' });
    expect(wentElsewhere).toHaveBeenCalledWith({ settings: { customerId: '1' }, eventNames: {} });
  });

  it.each([originalNotDelivered, 'original_uncertain', 'original_sent_elsewhere'])(
    'deliveries of adjustments that were skipped for %s follow their conversion when it is retried',
    async (reason) => {
      const { connection, conversion, original, first, second } = await given('failed', [{}, {}]);
      const em = database.em();
      const elsewhere = await givenConnection(em, {
        account: await connection.account.loadOrFail(),
        platform: 'google',
      });
      const other = await givenDelivery(em, { connection: elsewhere, conversion, state: 'skipped' });
      await set(first.id, { state: 'skipped', reason });
      await set(second.id, { state: 'skipped', reason: 'no_match_keys' });
      await database.pool.query(
        'delete from delivery_due where not exists (select from delivery where parcel_id = delivery_due.id)',
      );
      expect(new Set(await requeueDeliveries(database.em(), [original]))).toEqual(new Set([original, first.id]));
      expect(await stored(first.id)).toMatchObject({ state: 'pending', reason: null });
      expect([(await stored(second.id)).state, (await stored(other.id)).state]).toEqual(['skipped', 'skipped']);
      expect(await parcelViolations(database.pool)).toEqual([]);
    },
  );

  it('an adjustment that was delivered is sent again after its conversion, if that is retried', async () => {
    const { original, first } = await given('delivered');
    await set(original, { note: 'Google used it with a warning', isConfirmed: true });
    await settling(database).send(first.id, {
      state: 'delivered',
      reason: null,
      retryInMs: null,
      isCounted: true,
      attempt: null,
      eventNote: 'count kept',
    });
    expect(await stored(first.id)).toMatchObject({ state: 'delivered', eventNote: 'count kept', note: null });
    expect(await requeueDeliveries(database.em(), [original])).toHaveLength(2);
    // nothing is known of the attempts to come
    expect(await stored(original)).toMatchObject({ isConfirmed: null });
    expect(await stored(first.id)).toMatchObject({ eventNote: null });
    const delivery = await claimed(first.id);
    expect(held(delivery)?.reason).toBe('original_pending');
  });

  it('a conversion is not retried while a worker has claimed an adjustment of it', async () => {
    const { original, first } = await given('failed');
    const { parcel } = await claimed(first.id);
    expect(await requeueDeliveries(database.em(), [original])).toEqual([]);
    const { settle } = settling(database);
    await settle(parcel, { state: 'pending', reason: 'x', retryInMs: 0, isCounted: false, attempt: null });
    expect(await requeueDeliveries(database.em(), [original])).toEqual([original]);
    // it waits where it was
    const { id } = await parcelOf(database, first.id);
    await comesDue(database.pool, id);
    expect(await database.em().findOneOrFail(DeliveryDue, id)).toMatchObject({ deliveryIds: [first.id] });
  });
});
