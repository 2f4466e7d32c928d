import { eventually, givenContacts } from '@leadback/testing';
import { Delivery } from '@leadback/db';
import { claimSuspectParcel, parcelClaimer, splitSuspectParcels } from '@leadback/core/delivery/claim';
import { expect, it } from 'vitest';
import { givenHeldPlatform } from './given-held-platform.ts';
import { givenWorker, type TestWorker } from './given-worker.ts';

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
