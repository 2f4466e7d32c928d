import { Delivery, isDatabaseUnavailable, openPool } from '@leadback/db';
import { eventually, tcpProxy } from '@leadback/testing';
import { describe, expect, it, vi } from 'vitest';
import { givenHeldPlatform, givenWorker } from './given-worker.ts';

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

/**
 * A worker that has sent a delivery before an outage whose outcome it could not save, and whose lease is over. PostgreSQL is
 * back for all but the outcome.
 */
const givenUnsaved = async () => {
  const platform = await givenHeldPlatform();
  const worker = await givenWorker({ platformUrl: platform.url, isStarted: false });
  const proxies = [await tcpProxy(worker.database.url), await tcpProxy(worker.database.url)] as const;
  const [claiming, settling] = proxies;
  const pools = [
    await openPool({ url: claiming.url, applicationName: 'test' }),
    await openPool({ url: settling.url, applicationName: 'test' }),
  ] as const;
  const sweeps: boolean[] = [];
  const delivery = worker.startDelivery({
    pool: pools[0].pool,
    settlingPool: pools[1].pool,
    onSweep: (canClaim) => sweeps.push(canClaim),
  });
  /** Waits for so many further searches for due parcels. */
  const swept = async (times: number) => {
    const before = sweeps.length;
    await eventually(() => expect(sweeps.length).toBeGreaterThanOrEqual(before + times));
  };

  const { ids } = await worker.givenBacklog(2, { parcelSize: 2 });
  await delivery.takeHints(await worker.parcelsOf(ids));
  const request = await platform.request(0);
  for (const proxy of proxies) proxy.cut();
  request.answer();
  await swept(2);
  expect(sweeps.at(-1)).toBe(false);
  await worker.makeDue(ids);
  await claiming.heal();
  await eventually(() => pools[0].pool.query('select'));
  await swept(3);
  return {
    worker,
    platform,
    delivery,
    ids,
    settling,
    canClaim: () => sweeps.at(-1),
    async [Symbol.asyncDispose]() {
      platform.release();
      await settling.heal();
      await delivery[Symbol.asyncDispose]();
      for (const pool of pools) await pool[Symbol.asyncDispose]();
      for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
      await worker[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
};

describe('a worker that could not save outcomes during an outage of PostgreSQL', () => {
  it('saves them before it claims anything, and sends nothing again although their lease is over', async () => {
    await using unsaved = await givenUnsaved();
    const { worker, platform, delivery, ids } = unsaved;
    const { ids: later } = await worker.givenBacklog(1);
    for (const id of ids) expect(await worker.parcelOf(id)).toMatchObject({ phase: 'claimed', claim: 1 });
    await expect(delivery.takeHints(await worker.parcelsOf(later))).rejects.toThrow('must be saved');
    for (const id of later) expect(await worker.parcelOf(id)).toMatchObject({ phase: 'waiting', claim: 0 });
    expect(unsaved.canClaim()).toBe(false);

    await unsaved.settling.heal();
    platform.release();
    await eventually(async () => {
      const delivered = { id: { $in: [...ids, ...later] }, state: 'delivered', attempts: 1 } as const;
      expect(await worker.database.em().count(Delivery, delivered)).toBe(3);
    });
    expect(platform.requests.map(({ events }) => events)).toEqual([2, 1]);
    await eventually(() => expect(unsaved.canClaim()).toBe(true));
  });

  it('claims again when they cannot be saved within 20 s of its return', async () => {
    await using unsaved = await givenUnsaved();
    const { worker, platform } = unsaved;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 20_000);
    const { ids } = await worker.givenBacklog(1);
    await eventually(async () => {
      for (const id of ids) expect(await worker.parcelOf(id)).toMatchObject({ phase: 'claimed', claim: 1 });
    });
    await platform.request(1);
    expect(unsaved.canClaim()).toBe(true);
  });
});
