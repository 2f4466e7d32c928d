import { Delivery, DeliveryAttempt } from '@leadback/db';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { parcelSettler } from './settle.ts';
import {
  givenContacts,
  givenConnection,
  givenConversion,
  givenDatabase,
  givenDelivery,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { comesDue, givenParcel, parcelOf, parcelViolations } from '../../test/parcels.ts';
import { attempt, delivered, type Outcome, rejected, settling, unavailable } from '../../test/settling.ts';

describe('delivery', async () => {
  const database = await shared(givenDatabase());
  const worker = settling(database);

  const stored = (id: number) => database.em().findOneOrFail(Delivery, id);
  const isOld = (id: number, age: string) =>
    database.pool.query('update delivery set created_at = now() - $2::interval where id = $1', [id, age]);

  it('lets one worker at a time claim a delivery, with all data of its event', async () => {
    const conversion = await givenConversion(database.em(), {
      client: { email: 'ana@x.example', lead: { clickParameters: { fbclid: 'F' } } },
    });
    const connection = await givenConnection(database.em(), { account: await conversion.account.loadOrFail() });
    const { id } = await givenDelivery(database.em(), { connection, conversion });
    const { id: parcelId } = await parcelOf(database, id);
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => parcelClaimer(database.pool, givenContacts())(parcelId)),
    );
    const [parcel, ...others] = claims.filter((one) => one !== null);
    expect(others).toEqual([]);
    expect(parcel).toMatchObject({
      id: parcelId,
      claim: 1,
      mode: 'live',
      connection: {
        id: connection.id,
        accountId: conversion.account.id,
        platform: 'meta',
        version: connection.version,
      },
      deliveries: [
        {
          deliveryId: id,
          attempts: 0,
          event: {
            kind: 'conversion',
            id: conversion.id,
            amount: '10.00',
            currency: 'USD',
            accountCountry: 'AR',
            client: { email: 'ana@x.example' },
            lead: { clickParameters: { fbclid: 'F' } },
          },
        },
      ],
    });
    expect(Math.abs((parcel?.claimedAtMs ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('lets a worker claim a delivery when the lease of a dead worker expires', async () => {
    const { id } = await givenDelivery(database.em());
    const first = await worker.claimed(id);
    expect(await parcelClaimer(database.pool, givenContacts())(first.id)).toBeNull();
    expect(await worker.claimed(id)).toMatchObject({ id: first.id, claim: 2 });
  });

  it('closes a delivered delivery with its attempt and never claims it again', async () => {
    const { id } = await givenDelivery(database.em());
    const parcel = await worker.claimed(id);
    expect((await worker.settle(parcel, delivered)).states).toEqual(new Map([[id, 'delivered']]));
    const { state, attempts, closedAt, parcelId } = await stored(id);
    expect([state, attempts, closedAt instanceof Date, parcelId]).toEqual(['delivered', 1, true, null]);
    expect(await parcelClaimer(database.pool, givenContacts())(parcel.id)).toBeNull();
    const kept = await database.em().find(DeliveryAttempt, { delivery: id });
    expect(kept).toMatchObject([{ outcome: 'delivered', httpStatus: 200, answer: '{}' }]);
  });

  it('does not retry early when a hint names the parcel again', async () => {
    const { id } = await givenDelivery(database.em());
    const { id: settled } = await worker.claimed(id);
    await comesDue(database.pool, settled);
    expect(await worker.send(id, unavailable(30_000))).toBe('pending');
    const { id: next } = await parcelOf(database, id);
    const claim = parcelClaimer(database.pool, givenContacts());
    expect([await claim(settled), await claim(next)]).toEqual([null, null]);
    expect(await worker.claimed(id)).toMatchObject({ deliveries: [{ attempts: 1 }] });
  });

  it('puts deliveries that wait for different times into different parcels, with the age of their conversions', async () => {
    const connection = await givenConnection(database.em());
    const { deliveryIds } = await givenParcel(database, { connection, size: 4 });
    const [one = 0, ...others] = deliveryIds;
    const before = await parcelOf(database, one);
    const parcel = await worker.claimed(one);
    await parcelSettler(database.pool)({
      parcel,
      deliveries: [
        { ...unavailable(10_000), deliveryIds: [one] },
        { ...unavailable(20_000), deliveryIds: others },
      ],
    });
    const after = [await parcelOf(database, one), await parcelOf(database, others[0] ?? 0)];
    expect(after.map(({ deliveryIds: ids }) => ids.map(Number))).toEqual([[one], others]);
    for (const { claim, oldestAt } of after) expect([claim, oldestAt]).toEqual([1, before.oldestAt]);
    expect(await parcelViolations(database.pool)).toEqual([]);
  });

  it('fails a delivery whose next retry would be after three days', async () => {
    const { id } = await givenDelivery(database.em());
    await isOld(id, '2 days 23 hours');
    expect(await worker.send(id, unavailable(30 * 60_000))).toBe('pending');
    expect(await worker.send(id, unavailable(90 * 60_000))).toBe('failed');
    expect((await stored(id)).reason).toBe('retries_exhausted: server_error');
  });

  it('never fails a delivery that waits for a quota slot or the operator', async () => {
    const { id } = await givenDelivery(database.em());
    await isOld(id, '9 days');
    const postponed: Outcome = { ...unavailable(0), reason: 'quota', isCounted: false, attempt: null };
    expect(await worker.send(id, postponed)).toBe('pending');
    expect((await stored(id)).attempts).toBe(0);
    expect(await worker.send(id, rejected)).toBe('pending');
  });

  it('counts a throttled attempt apart from the others', async () => {
    const { id } = await givenDelivery(database.em());
    const throttled = { ...attempt, outcome: 'throttled', reason: 'slow down', httpStatus: 429 } as const;
    await worker.send(id, { ...unavailable(10_000), reason: 'slow down', isCounted: false, attempt: throttled });
    expect(await stored(id)).toMatchObject({ attempts: 0, throttled: 1, reason: 'slow down' });
    const attempts = await database.em().find(DeliveryAttempt, { delivery: id });
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['throttled']);
  });

  it('stores the name of a platform request once for all its deliveries', async () => {
    const connection = await givenConnection(database.em());
    const { deliveryIds } = await givenParcel(database, { connection, size: 3 });
    const request = { name: 'r1', checkInMs: 1_800_000 };
    await worker.settle(await worker.claimed(deliveryIds[0] ?? 0), { ...delivered, attempt: { ...attempt, request } });
    const { rows } = await database.pool.query(
      `select r.name, r.account_id::int, count(a.*)::int as attempts, round(extract(epoch from r.check_at - r.created_at))::int as check_in
       from platform_request r join delivery_attempt a on a.platform_request = r.name
       where r.connection_id = $1 group by r.id`,
      [connection.id],
    );
    expect(rows).toEqual([{ name: 'r1', account_id: connection.account.id, attempts: 3, check_in: 1_800 }]);
  });
});
