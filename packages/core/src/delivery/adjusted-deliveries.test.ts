import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { type AdjustingRules, originalNotDelivered } from './settle.ts';
import { requeueDeliveries, requeueDeliveriesOfConnection } from '@leadback/core/delivery/requeue';
import { Delivery, DeliveryDue, PlatformRequest, transaction } from '@leadback/db';
import {
  type TestDatabase,
  givenAdjustment,
  givenConnection,
  givenContacts,
  givenDatabase,
  givenDelivery,
  givenPlatformRequest,
} from '@leadback/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { adjusting, held } from '../../test/adjusting.ts';
import { gatedClaims } from '../../test/gated-pool.ts';
import { comesDue, parcelOf, parcelViolations } from '../../test/parcels.ts';
import { delivered, failed, settling } from '../../test/settling.ts';
import { waitingForLocks } from '../../test/waiting-for-locks.ts';

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
    await em.nativeUpdate(PlatformRequest, { id: request }, { checkAt: null });
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

type Given = Awaited<ReturnType<ReturnType<typeof adjusting>['given']>>;

describe('adjustments and retries of one conversion at the same time', () => {
  let database: TestDatabase;
  let given: ReturnType<typeof adjusting>['given'];
  let claimed: ReturnType<typeof adjusting>['claimed'];
  let set: ReturnType<typeof adjusting>['set'];
  let stored: ReturnType<typeof adjusting>['stored'];
  beforeAll(async () => {
    database = await givenDatabase({ waitsForLocks: true });
    ({ given, claimed, set, stored } = adjusting(database));
  });
  afterAll(() => database[Symbol.asyncDispose]());
  afterEach(async () => {
    const violations = await parcelViolations(database.pool);
    if (violations.length > 0) throw new Error(violations.join('\n'));
  });

  const retry = (...ids: number[]) => requeueDeliveries(database.em(), ids);
  /** Registers an adjustment like the api. Returns the id of its delivery. */
  const adjust = async ({ conversion, connection }: Given, amount: string) => {
    const mode = { accountId: conversion.account.id, isTest: false };
    const register = conversionAdjuster(database.pool, { announce: () => {} });
    const { id } = await register(mode, { conversionId: conversion.id, kind: 'restate', amount });
    return (await database.em().findOneOrFail(Delivery, { adjustment: id, connection })).id;
  };
  /** What the work waits for that is begun while a transaction is open, and what it returns after its commit. */
  const duringRetryOf = async <Result>(
    requeue: (em: ReturnType<TestDatabase['em']>) => Promise<unknown>,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const begun = Promise.withResolvers<undefined>();
    const end = Promise.withResolvers<undefined>();
    const retrying = transaction(database.em(), async (tx) => {
      await requeue(tx);
      begun.resolve(undefined);
      await end.promise;
    });
    await begun.promise;
    const working = work();
    await waitingForLocks(database, 1);
    end.resolve(undefined);
    await retrying;
    return working;
  };

  it.each([
    ['it', (one: Given) => (em: ReturnType<TestDatabase['em']>) => requeueDeliveries(em, [one.original])],
    [
      'everything of its connection',
      ({ connection: { id, account } }: Given) =>
        (em: ReturnType<TestDatabase['em']>) =>
          requeueDeliveriesOfConnection(em, { id, accountId: account.id }),
    ],
  ])('an adjustment that is registered while an operator retries %s waits for the conversion', async (_what, by) => {
    const sale = await given('failed', []);
    const id = await duringRetryOf(by(sale), () => adjust(sale, '60'));
    expect(held(await claimed(id))).toMatchObject({ state: 'pending', reason: 'original_pending' });
  });

  it('an adjustment that is retried while its conversion is retried waits for the conversion', async () => {
    const { original, first } = await given('failed');
    await set(first.id, { state: 'failed' });
    const requeued = await duringRetryOf(
      (em) => requeueDeliveries(em, [original]),
      () => retry(first.id),
    );
    expect(requeued).toEqual([first.id]);
    expect(held(await claimed(first.id))).toMatchObject({ reason: 'original_pending' });
  });

  it('a conversion that is retried while its adjustment is retried takes the adjustment with it', async () => {
    const { original, first } = await given('failed');
    await set(first.id, { state: 'failed' });
    const requeued = await duringRetryOf(
      (em) => requeueDeliveries(em, [first.id]),
      () => retry(original),
    );
    expect(requeued).toEqual([original]);
    expect(held(await claimed(first.id))).toMatchObject({ reason: 'original_pending' });
  });

  it('a claim that began before its conversion was retried gets no adjustment, which then waits', async () => {
    const { original, first } = await given('delivered');
    await set(original, { note: 'in part' });
    const { id } = await parcelOf(database, first.id);
    await comesDue(database.pool, id);
    const gate = await gatedClaims(database);
    const late = parcelClaimer(gate.pool, givenContacts())(id);
    await gate.stopped();
    expect(await retry(original)).toEqual([original]);
    await gate.open();
    expect(await late).toBeNull();
    expect(held(await claimed(first.id))).toMatchObject({ reason: 'original_pending' });
  });

  it('an adjustment that is registered during the claim of an earlier one waits for it', async () => {
    const sale = await given('delivered', [{ kind: 'restate', amount: '60.00' }]);
    const { id } = await parcelOf(database, sale.first.id);
    await comesDue(database.pool, id);
    const gate = await gatedClaims(database);
    const early = parcelClaimer(gate.pool, givenContacts())(id);
    await gate.stopped();
    const second = await adjust(sale, '40');
    expect(held(await claimed(second))).toMatchObject({ reason: 'earlier_adjustment_pending' });
    await gate.open();
    const parcel = await early;
    const [delivery] = parcel?.deliveries ?? [];
    if (!parcel || !delivery) throw new Error('nothing was claimed');
    // it began before, so it is sent before
    expect(held(delivery)).toBeUndefined();
    await settling(database).settle(parcel, delivered);
    expect(held(await claimed(second))).toBeUndefined();
  });

  it('an earlier adjustment that is retried while a later one is sent is superseded, also once that is delivered', async () => {
    const { first, second } = await given('delivered', [{}, {}]);
    await set(first.id, { state: 'failed' });
    const { parcel, ...later } = await claimed(second.id);
    expect(held(later)).toBeUndefined();
    await retry(first.id);
    expect(held(await claimed(first.id))).toMatchObject({ state: 'skipped', reason: 'superseded' });
    await settling(database).settle(parcel, delivered);
    expect(held(await claimed(first.id))).toMatchObject({ state: 'skipped', reason: 'superseded' });
  });

  it('an earlier adjustment that is retried after a later one failed is sent, and the later one waits for it', async () => {
    const { first, second } = await given('delivered', [{}, {}]);
    await set(first.id, { state: 'failed' });
    await settling(database).send(second.id, failed);
    await retry(first.id);
    const { parcel, ...earlier } = await claimed(first.id);
    expect(held(earlier)).toBeUndefined();
    await retry(second.id);
    expect(held(await claimed(second.id))).toMatchObject({ reason: 'earlier_adjustment_pending' });
    await settling(database).settle(parcel, delivered);
    expect(held(await claimed(second.id))).toBeUndefined();
  });

  it('what shared a parcel with an adjustment that waits for its conversion is still sent once', async () => {
    const { connection, original, first } = await given('failed');
    const { id } = await parcelOf(database, first.id);
    const other = await given('pending', []);
    await database.pool.query(
      `with gone as (delete from delivery_due where delivery_ids = array[$3::bigint]),
         moved as (update delivery set parcel_id = $1, connection_id = $4, account_id = $5 where id = $3)
       update delivery_due set delivery_ids = delivery_ids || $2::bigint where id = $1`,
      [id, other.original, other.original, connection.id, connection.account.id],
    );
    await retry(original);
    const parcel = await parcelOf(database, first.id);
    expect(parcel.id).not.toBe(id);
    expect(parcel).toMatchObject({ deliveryIds: [first.id, other.original] });
    expect(await stored(other.original)).toMatchObject({ state: 'pending', parcelId: parcel.id });
  });
});
