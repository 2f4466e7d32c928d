import { Delivery } from '@leadback/db';
import { eventually } from '@leadback/testing';
import { expect, it } from 'vitest';
import { givenHeldPlatform } from './given-held-platform.ts';
import { givenWorker, type TestWorker } from './given-worker.ts';

const parcelSize = 20;

const allDelivered = (worker: TestWorker, ids: readonly number[]) =>
  eventually(async () => {
    const delivered = { id: { $in: [...ids] }, state: 'delivered', attempts: 1 } as const;
    expect(await worker.database.em().count(Delivery, delivered)).toBe(ids.length);
  });

it('a worker with a backlog and a slow platform holds its limit and at most one parcel more of each connection', async () => {
  const heldLimits = { total: 100, ofPlatform: 100 };
  await using worker = await givenWorker({ heldLimits, isStarted: false });
  await worker.behave({ platform: 'meta', answer: 'ok', delayMs: 40 });
  const backlogs = [];
  for (let one = 0; one < 5; one += 1) backlogs.push(await worker.givenBacklog(200, { parcelSize }));
  const ids = backlogs.flatMap((backlog) => backlog.ids);

  const parcels = await worker.parcelsOf(ids);
  const delivery = worker.startDelivery();
  let heldMost = 0;
  const watching = setInterval(() => {
    heldMost = Math.max(heldMost, delivery.held());
  });
  for (const parcel of parcels) void delivery.takeHints([parcel]);
  heldMost = Math.max(heldMost, delivery.held());
  await allDelivered(worker, ids);
  clearInterval(watching);
  expect(heldMost).toBeGreaterThan(0);
  expect(heldMost).toBeLessThanOrEqual(heldLimits.total + backlogs.length * parcelSize);
  await eventually(() => expect(delivery.held()).toBe(0));
  expect(await worker.metrics.metrics()).toMatch(/leadback_deliveries_held\{[^}]*\} 0/);
});

it('a hint for which there is no room is left, and its deliveries are found later', async () => {
  await using platform = await givenHeldPlatform();
  await using worker = await givenWorker({ platformUrl: platform.url, heldLimits: { total: 10, ofPlatform: 10 } });
  const first = await worker.givenBacklog(10, { parcelSize: 10 });
  await worker.delivery.takeHints(await worker.parcelsOf(first.ids));
  await platform.request(0);
  expect(await worker.metrics.metrics()).toMatch(/leadback_deliveries_held\{[^}]*\} 10/);

  const left = await worker.givenBacklog(10, { parcelSize: 10 });
  const [hint] = await worker.parcelsOf(left.ids);
  for (let time = 0; time < 3; time += 1) if (hint) await worker.delivery.takeHints([hint]);
  expect(worker.delivery.held()).toBe(10);
  expect(await worker.parcelOf(left.ids[0] ?? 0)).toMatchObject({ phase: 'waiting', claim: 0 });

  platform.release();
  await allDelivered(worker, [...first.ids, ...left.ids]);
});

it('the room of one platform that is slow is not that of another', async () => {
  await using platform = await givenHeldPlatform();
  await using worker = await givenWorker({ platformUrl: platform.url, heldLimits: { total: 20, ofPlatform: 10 } });
  const meta = await worker.givenBacklog(30, { parcelSize: 5 });
  await worker.delivery.takeHints(await worker.parcelsOf(meta.ids.slice(0, 10)));
  await platform.request(0);
  expect(worker.delivery.held()).toBe(10);
  const skipped = await worker.givenBacklog(5, { platform: 'google', parcelSize: 5, settings: { customerId: 'none' } });
  await worker.delivery.takeHints(await worker.parcelsOf(skipped.ids));
  await eventually(async () => {
    const rows = await worker.database.em().find(Delivery, { id: { $in: skipped.ids } });
    expect(rows.map(({ reason }) => reason?.split(':')[0])).toEqual(skipped.ids.map(() => 'settings_do_not_fit'));
  });
  platform.release();
  await allDelivered(worker, meta.ids);
});
