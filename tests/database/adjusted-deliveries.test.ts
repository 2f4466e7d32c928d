import { Feedback, FeedbackDue, PlatformRequest } from '@leadback/db';
import { heldBack, originalNotDelivered, requeueFeedback } from '@leadback/delivery';
import {
  givenAdjustment,
  givenConnection,
  givenConversion,
  givenDatabase,
  givenFeedback,
  givenPlatformRequest,
  type TestDatabase,
} from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comesDue, parcelOf, parcelViolations } from '../support/parcels.ts';
import { settling } from '../support/settling.ts';

type Adjustments = readonly Partial<Omit<Parameters<typeof givenAdjustment>[1], 'conversion'>>[];

describe('the deliveries of adjustments', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await givenDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  /** A conversion of 100 with a delivery, and adjustments with deliveries to the same connection. */
  const given = async (
    state: Feedback['state'],
    adjustments: Adjustments = [{}],
    sale: Parameters<typeof givenConversion>[1] = {},
  ) => {
    const em = database.em();
    const connection = await givenConnection(em, { platform: 'google' });
    const account = await connection.account.loadOrFail();
    const conversion = await givenConversion(em, { account, amount: '100.00', ...sale });
    const { id } = await givenFeedback(em, { connection, conversion, state });
    const deliveries = [];
    for (const options of adjustments) {
      const adjustment = await givenAdjustment(em, { conversion, ...options });
      deliveries.push({ adjustment: adjustment.id, id: (await givenFeedback(em, { connection, adjustment })).id });
    }
    const [first = { adjustment: 0, id: 0 }, second = first] = deliveries;
    return { connection, conversion, original: id, first, second };
  };

  /** A delivery, as a worker claims it. */
  const claimed = async (feedbackId: number) => {
    const parcel = await settling(database).claimed(feedbackId);
    const delivery = parcel.deliveries.find((one) => one.feedbackId === feedbackId);
    if (!delivery) throw new Error('the parcel has no such delivery');
    return { ...delivery, parcel };
  };
  const set = (id: number, changes: Partial<Pick<Feedback, 'state' | 'reason' | 'note'>>) =>
    database
      .em()
      .nativeUpdate(Feedback, { id }, { ...changes, ...(changes.state !== 'pending' && { parcelId: null }) });
  const stored = (id: number) => database.em().findOneOrFail(Feedback, id);

  it.each(['conversion_id = null', 'client_id = 1', 'adjustment_id = 1'])(
    'a delivery of a conversion cannot be given another subject: %s',
    async (change) => {
      const { original } = await given('pending');
      const changed = database.pool.query(`update feedback set ${change} where id = $1`, [original]);
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
      isSuperseded: false,
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
    const held = heldBack(delivery, delivery.createdAtMs);
    expect(held).toMatchObject(next);
  });

  it('an adjustment whose conversion is delivered is not held back', async () => {
    const { first } = await given('delivered');
    const delivery = await claimed(first.id);
    expect(heldBack(delivery, delivery.createdAtMs)).toBeUndefined();
  });

  it('an adjustment waits until the platform has reported the status of each request with its conversion', async () => {
    const em = database.em();
    const { id: request, feedback, connection } = await givenPlatformRequest(em);
    const { conversion } = await em.findOneOrFail(Feedback, feedback[0] ?? 0, { populate: ['conversion'] });
    if (!conversion) throw new Error('the delivery has no conversion');
    const adjustment = await givenAdjustment(em, { conversion: conversion.$ });
    const { id } = await givenFeedback(em, { connection, adjustment });
    const reasonNow = async () => {
      const delivery = await claimed(id);
      return heldBack(delivery, delivery.createdAtMs)?.reason;
    };
    expect(await reasonNow()).toBe('original_unconfirmed');
    await em.nativeUpdate(PlatformRequest, { id: request }, { lookAt: null });
    expect(await reasonNow()).toBeUndefined();
  });

  it('an adjustment waits for earlier ones to the same connection, longer each time', async () => {
    const { first, second } = await given('delivered', [{}, {}]);
    const delivery = await claimed(second.id);
    const pauses = [0, 40_000, 86_400_000].map((ms) => heldBack(delivery, delivery.createdAtMs + ms)?.retryInMs);
    expect(pauses).toEqual([5_000, 10_000, 600_000]);
    expect(heldBack(delivery, delivery.createdAtMs)?.reason).toBe('earlier_adjustment_pending');
    expect(heldBack(await claimed(first.id), 0)).toBeUndefined();
  });

  it('an adjustment that is retried after a later one was delivered is superseded', async () => {
    const { first, second } = await given('delivered', [{}, {}]);
    await set(first.id, { state: 'failed' });
    const { send } = settling(database);
    const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: null, durationMs: 1 } as const;
    await send(second.id, { state: 'delivered', reason: null, retryInMs: null, isCounted: true, attempt });
    await requeueFeedback(database.em(), [first.id]);
    expect((await claimed(first.id)).event).toMatchObject({ isSuperseded: true });
  });

  it('deliveries of adjustments follow their conversion when it is retried', async () => {
    const { connection, conversion, original, first, second } = await given('failed', [{}, {}]);
    const em = database.em();
    const elsewhere = await givenConnection(em, { account: await connection.account.loadOrFail(), platform: 'google' });
    const other = await givenFeedback(em, { connection: elsewhere, conversion, state: 'skipped' });
    await set(first.id, { state: 'skipped', reason: originalNotDelivered });
    await set(second.id, { state: 'skipped', reason: 'no_match_keys' });
    await database.pool.query(
      'delete from feedback_due where not exists (select from feedback where parcel_id = feedback_due.id)',
    );
    expect(new Set(await requeueFeedback(database.em(), [original]))).toEqual(new Set([original, first.id]));
    expect(await stored(first.id)).toMatchObject({ state: 'pending', reason: null });
    expect([(await stored(second.id)).state, (await stored(other.id)).state]).toEqual(['skipped', 'skipped']);
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('an adjustment that was delivered is sent again after its conversion, if that is retried', async () => {
    const { original, first } = await given('delivered');
    await set(original, { note: 'Google used it with a warning' });
    await settling(database).send(first.id, {
      state: 'delivered',
      reason: null,
      retryInMs: null,
      isCounted: true,
      attempt: null,
      eventNote: 'count kept',
    });
    expect(await stored(first.id)).toMatchObject({ state: 'delivered', eventNote: 'count kept', note: null });
    expect(await requeueFeedback(database.em(), [original])).toHaveLength(2);
    const delivery = await claimed(first.id);
    expect(heldBack(delivery, delivery.createdAtMs)?.reason).toBe('original_pending');
  });

  it('a conversion is not retried while a worker has claimed an adjustment of it', async () => {
    const { original, first } = await given('failed');
    const { parcel } = await claimed(first.id);
    expect(await requeueFeedback(database.em(), [original])).toEqual([]);
    const { settle } = settling(database);
    await settle(parcel, { state: 'pending', reason: 'x', retryInMs: 0, isCounted: false, attempt: null });
    expect(await requeueFeedback(database.em(), [original])).toEqual([original]);
    // it waits where it was
    const { id } = await parcelOf(database, first.id);
    await comesDue(database.pool, id);
    expect(await database.em().findOneOrFail(FeedbackDue, id)).toMatchObject({ feedbackIds: [first.id] });
  });
});
