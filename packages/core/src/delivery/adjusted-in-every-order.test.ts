import { Delivery, transaction } from '@leadback/db';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { requeueDeliveries, requeueDeliveriesOfConnection } from '@leadback/core/delivery/requeue';
import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { givenContacts, givenDatabase, type TestDatabase } from '@leadback/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adjusting, held } from '../../test/adjusting.ts';
import { gatedClaims } from '../../test/gated-pool.ts';
import { comesDue, parcelOf, parcelViolations } from '../../test/parcels.ts';
import { delivered, failed, settling } from '../../test/settling.ts';
import { waitingForLocks } from '../../test/waiting-for-locks.ts';

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
