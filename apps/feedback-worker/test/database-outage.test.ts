import { Delivery, isDatabaseUnavailable, openPool } from '@leadback/db';
import { eventually, tcpProxy } from '@leadback/testing';
import { expect, it } from 'vitest';
import { givenWorker } from './given-worker.ts';

it('a worker refuses hints while PostgreSQL refuses it, says so, and goes on by itself afterwards', async () => {
  await using worker = await givenWorker({ isStarted: false });
  await using proxy = await tcpProxy(worker.database.url);
  await using proxied = await openPool({ url: proxy.url, applicationName: 'test' });
  const { pool } = proxied;
  const sweeps: boolean[] = [];
  const isUp = (expected: boolean) => eventually(() => expect(sweeps.at(-1)).toBe(expected));
  const delivery = worker.startDelivery({
    pool,
    settlingPool: pool,
    onSweep: (isDatabaseUp) => sweeps.push(isDatabaseUp),
  });
  await isUp(true);

  proxy.cut();
  await isUp(false);
  const { ids } = await worker.givenBacklog(5);
  await expect(delivery.takeHints(await worker.parcelsOf(ids))).rejects.toSatisfy(isDatabaseUnavailable);
  expect(delivery.held()).toBe(0);
  for (const id of ids) expect(await worker.parcelOf(id)).toMatchObject({ phase: 'waiting', claim: 0 });

  await proxy.heal();
  await isUp(true);
  await eventually(async () => {
    const delivered = { id: { $in: ids }, state: 'delivered', attempts: 1 } as const;
    expect(await worker.database.em().count(Delivery, delivered)).toBe(5);
  });
  await delivery[Symbol.asyncDispose]();
});
