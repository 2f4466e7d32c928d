import { setTimeout as pause } from 'node:timers/promises';
import { DeliveryDue } from '@leadback/db';
import { eventually } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenHeldPlatform, invalid, tooOld, unavailable } from './given-held-platform.ts';
import { givenWorker } from './given-worker.ts';

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
