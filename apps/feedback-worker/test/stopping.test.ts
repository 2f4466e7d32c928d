import { Delivery } from '@leadback/db';
import { eventually } from '@leadback/testing';
import { expect, it, vi } from 'vitest';
import { givenHeldPlatform } from './given-held-platform.ts';
import { givenWorker } from './given-worker.ts';

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
