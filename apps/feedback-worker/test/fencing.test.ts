import { setTimeout as pause } from 'node:timers/promises';
import { claimSuspectParcel, parcelClaimer, splitSuspectParcels } from '@leadback/core/delivery/claim';
import { Delivery, DeliveryDue } from '@leadback/db';
import { eventually, givenContacts } from '@leadback/testing';
import { describe, expect, it, vi } from 'vitest';
import { type TestWorker, givenHeldPlatform, givenWorker, invalid, tooOld, unavailable } from './given-worker.ts';

/** A delivery whose first request is in progress when its lease ends and it is claimed and sent once more. */
const givenTakenOver = async () => {
  const platform = await givenHeldPlatform();
  const worker = await givenWorker({ platformUrl: platform.url });
  const { id, connectionId } = await worker.givenDelivery();
  await worker.delivery.takeHints(await worker.parcelsOf([id]));
  const late = await platform.request(0);
  const other = worker.startDelivery();
  await worker.makeDue([id]);
  await other.takeHints(await worker.parcelsOf([id]));
  const current = await platform.request(1);

  const held = () => worker.delivery.held() + other.held();
  return {
    worker,
    platform,
    id,
    connectionId,
    late,
    current,
    /** Waits until no more than so many deliveries are held. */
    holding: async (deliveries: number) => {
      while (held() > deliveries) await pause(5);
    },
    observed: async () => {
      const { state, attempts, reason, closedAt, parcelId } = await worker.stored(id);
      const parcels = await worker.database.em().find(DeliveryDue, { connectionId });
      const kept = parcels.map(({ deliveryIds, phase, claim, claimsLost, notBefore }) => ({
        deliveryIds,
        phase,
        claim,
        claimsLost,
        notBefore,
      }));
      return { state, attempts, reason, closedAt, parcelId, parcels: kept, tried: await worker.attemptsOf(id) };
    },
    async [Symbol.asyncDispose]() {
      platform.release();
      await worker[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
};

const outcomes = [
  ['success', undefined],
  ['retry', unavailable],
  ['failure', invalid],
  ['skip', tooOld],
] as const;

describe('a worker whose claim was taken over', () => {
  it.each(outcomes)(
    'a late %s changes nothing of a delivery that another worker has delivered',
    async (_name, answer) => {
      await using taken = await givenTakenOver();
      taken.current.answer();
      await taken.holding(1);
      const before = await taken.observed();
      expect(before).toMatchObject({ state: 'delivered', attempts: 1, parcels: [] });
      taken.late.answer(answer);
      await taken.holding(0);
      expect(await taken.observed()).toEqual(before);
    },
  );

  it.each(outcomes.slice(1))(
    'a late %s changes nothing of a delivery that another worker sends',
    async (_name, answer) => {
      await using taken = await givenTakenOver();
      const before = await taken.observed();
      expect(before.parcels).toMatchObject([{ phase: 'claimed', claim: 2, claimsLost: 1 }]);
      taken.late.answer(answer);
      await taken.holding(1);
      expect(await taken.observed()).toEqual(before);
      taken.current.answer();
      await taken.holding(0);
      expect(await taken.observed()).toMatchObject({ state: 'delivered', attempts: 1, parcels: [] });
    },
  );

  it.each([
    ['pending', unavailable],
    ['failed', invalid],
    ['skipped', tooOld],
  ] as const)(
    'an event that the platform accepted late turns a %s delivery into a delivered one',
    async (state, answer) => {
      await using taken = await givenTakenOver();
      taken.current.answer(answer);
      await taken.holding(1);
      expect(await taken.observed()).toMatchObject({ state, attempts: 1 });
      taken.late.answer();
      await taken.holding(0);
      expect(await taken.observed()).toMatchObject({ state: 'delivered', attempts: 2, reason: null, parcelId: null });
    },
  );

  it('a retry of a delivery that was delivered meanwhile sends nothing', async () => {
    await using taken = await givenTakenOver();
    taken.current.answer(unavailable);
    await taken.holding(1);
    taken.late.answer();
    await taken.holding(0);
    const { pool } = taken.worker.database;
    await pool.query('update delivery_due set not_before = now() where connection_id = $1', [taken.connectionId]);
    await eventually(async () => expect((await taken.observed()).parcels).toEqual([]));
    expect(await taken.observed()).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(taken.platform.requests).toHaveLength(2);
  });
});

it('a delivery that was claimed so long ago that its lease may end during a request is claimed again', async () => {
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  await using platform = await givenHeldPlatform();
  await using worker = await givenWorker({ platformUrl: platform.url });
  const { ids, connectionId } = await worker.givenBacklog(2);
  // as many requests as one connection may have at once
  for (const [index, id] of ids.entries()) {
    await worker.delivery.takeHints(await worker.parcelsOf([id]));
    await platform.request(index);
  }
  const [waiting = 0] = await worker.givenMore(1, connectionId);
  await worker.delivery.takeHints(await worker.parcelsOf([waiting]));
  expect(await worker.parcelOf(waiting)).toMatchObject({ phase: 'claimed', claim: 1 });

  now += 80_000;
  platform.requests[0]?.answer();
  while (worker.delivery.held() > 1) await pause(5);
  expect(await worker.stored(waiting)).toMatchObject({ state: 'pending', reason: 'claimed_too_long', attempts: 0 });
  expect(await worker.attemptsOf(waiting)).toEqual([]);
  expect(platform.requests).toHaveLength(2);

  platform.release();
  await platform.request(2);
  while (worker.delivery.held() > 0) await pause(5);
  expect(await worker.stored(waiting)).toMatchObject({ state: 'delivered', attempts: 1 });
});

it('a stopping worker frees what it has not sent at once, and completes and saves its requests', async () => {
  await using platform = await givenHeldPlatform();
  await using worker = await givenWorker({ platformUrl: platform.url });
  const stopping = worker.delivery;
  const claimed = (ids: readonly number[]) =>
    eventually(async () => {
      for (const id of ids) expect(await worker.parcelOf(id)).toMatchObject({ phase: 'claimed', claim: 1 });
    });
  const delivered = (ids: readonly number[]) =>
    worker.database.em().count(Delivery, { id: { $in: [...ids] }, state: 'delivered', attempts: 1 });
  vi.spyOn(performance, 'now').mockReturnValue(performance.now()); // or its requests would be slow, and it claim no more

  // as many requests as one connection may have at once, and more deliveries behind them
  const { ids: sent, connectionId } = await worker.givenBacklog(2);
  for (const [index, id] of sent.entries()) {
    await stopping.takeHints(await worker.parcelsOf([id]));
    await platform.request(index);
  }
  const waiting = await worker.givenMore(3, connectionId);
  await stopping.takeHints(await worker.parcelsOf(waiting));
  await claimed(waiting);
  vi.restoreAllMocks();

  const stopped = stopping[Symbol.asyncDispose]();
  worker.startDelivery();
  // another worker has sent them before the requests in progress end
  const theirs = await platform.request(2);
  expect(platform.requests).toMatchObject([{ events: 1 }, { events: 1 }, { events: 3 }]);
  theirs.answer();
  await eventually(async () => expect(await delivered(waiting)).toBe(3));
  expect(await delivered(sent)).toBe(0);

  platform.release();
  await stopped;
  expect(stopping.held()).toBe(0);
  expect(await delivered(sent)).toBe(2);
});

it('a worker that stops while it claims frees what it has claimed', async () => {
  await using platform = await givenHeldPlatform();
  await using worker = await givenWorker({ platformUrl: platform.url, isStarted: false });
  const { ids } = await worker.givenBacklog(5);
  const parcels = await worker.parcelsOf(ids);
  const stopping = worker.startDelivery();
  const claimed = stopping.takeHints(parcels);
  await stopping[Symbol.asyncDispose]();
  await claimed;
  for (const id of ids) expect(await worker.parcelOf(id)).toMatchObject({ phase: 'waiting', claim: 1 });
  expect(platform.requests).toEqual([]);
});

/** As many workers crash one after the other, each after it has claimed the parcel of these deliveries. */
const crash = async (worker: TestWorker, ids: readonly number[], times: number) => {
  const claim = parcelClaimer(worker.database.pool, givenContacts());
  for (let time = 0; time < times; time += 1) {
    const [parcel] = await worker.parcelsOf(ids);
    expect(await claim(parcel?.id ?? 0)).not.toBeNull();
    await worker.makeDue(ids);
  }
};

const delivered = (worker: TestWorker, ids: readonly number[]) =>
  eventually(async () => {
    const rows = { id: { $in: [...ids] }, state: 'delivered', attempts: 1 } as const;
    expect(await worker.database.em().count(Delivery, rows)).toBe(ids.length);
  });

it('the deliveries of a parcel that crashed two workers are still sent together', async () => {
  await using platform = await givenHeldPlatform(() => false);
  await using worker = await givenWorker({ platformUrl: platform.url, isStarted: false });
  const { ids } = await worker.givenBacklog(6, { parcelSize: 6 });
  await crash(worker, ids, 2);
  worker.startDelivery();
  await delivered(worker, ids);
  expect(platform.requests).toMatchObject([{ events: 6 }]);
});

it('the deliveries of a parcel that crashed three workers are sent one at a time', async () => {
  await using platform = await givenHeldPlatform();
  await using worker = await givenWorker({ platformUrl: platform.url, isStarted: false });
  const { ids, connectionId } = await worker.givenBacklog(6, { parcelSize: 6 });
  await crash(worker, ids, 3);
  worker.startDelivery();
  for (const index of ids.keys()) {
    const request = await platform.request(index);
    expect(platform.requests).toHaveLength(index + 1);
    const claimed = await worker.database.pool.query(
      `select from delivery_due where connection_id = $1 and phase = 'claimed'`,
      [connectionId],
    );
    expect([request.events, claimed.rowCount]).toEqual([1, 1]);
    request.answer();
  }
  await delivered(worker, ids);
});

it('a delivery that crashed five workers has failed and is not sent', async () => {
  await using platform = await givenHeldPlatform(() => false);
  await using worker = await givenWorker({ platformUrl: platform.url, isStarted: false });
  const { ids, connectionId } = await worker.givenBacklog(2, { parcelSize: 2 });
  await crash(worker, ids, 3);
  expect(await splitSuspectParcels(worker.database.pool)).toBe(2);
  const suspect = await claimSuspectParcel(worker.database.pool, givenContacts());
  const crashed = suspect?.deliveries[0]?.deliveryId ?? 0;
  const others = ids.filter((id) => id !== crashed);
  await worker.database.pool.query(
    `update delivery_due set not_before = 'infinity' where connection_id = $1 and id <> $2`,
    [connectionId, suspect?.id],
  );
  await worker.makeDue([crashed]);
  expect(await claimSuspectParcel(worker.database.pool, givenContacts())).toMatchObject({
    deliveries: [{ deliveryId: crashed }],
  });
  await worker.makeDue(ids);

  worker.startDelivery();
  await eventually(async () => expect(await worker.stored(crashed)).toMatchObject({ state: 'failed' }));
  expect(await worker.stored(crashed)).toMatchObject({ reason: 'crashed', attempts: 0, parcelId: null });
  const counted = /leadback_deliveries_crashed_total\{[^}]*platform="meta"[^}]*\} 1/;
  await eventually(async () => expect(await worker.metrics.metrics()).toMatch(counted));
  await delivered(worker, others);
  expect(platform.requests).toMatchObject([{ events: 1 }]);
});

it('a hint of a parcel that does not exist any more is ignored', async () => {
  await using worker = await givenWorker();
  await worker.delivery.takeHints([{ id: 1e12, connectionId: 1, size: 1 }]);
  expect(worker.delivery.held()).toBe(0);
});
