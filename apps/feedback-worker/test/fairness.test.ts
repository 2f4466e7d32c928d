import { setTimeout as pause } from 'node:timers/promises';
import { Delivery } from '@leadback/db';
import { eventually } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenHeldPlatform, unavailable } from './given-held-platform.ts';
import { givenWorker, type TestWorker } from './given-worker.ts';

const count = (worker: TestWorker, ids: readonly number[], where: Partial<Pick<Delivery, 'state' | 'attempts'>>) =>
  worker.database.em().count(Delivery, { id: { $in: [...ids] }, ...where });
const allDelivered = (worker: TestWorker, ids: readonly number[]) =>
  eventually(async () => expect(await count(worker, ids, { state: 'delivered', attempts: 1 })).toBe(ids.length));
const tell = async (worker: TestWorker, ids: readonly number[]) =>
  worker.delivery.takeHints(await worker.parcelsOf(ids));

const slowPixel = '1000000001';
const healthyPixel = '1000000002';

describe('a slow or failing connection', () => {
  it('a slow connection leaves its hints, and its deliveries are claimed once it is fast again', async () => {
    await using platform = await givenHeldPlatform((pixelId) => pixelId === slowPixel);
    await using worker = await givenWorker({ platformUrl: platform.url });
    const slow = await worker.givenBacklog(1, { settings: { pixelId: slowPixel } });
    await tell(worker, slow.ids);
    await platform.request(0);
    await pause(600);
    const others = await worker.givenMore(4, slow.connectionId);
    await tell(worker, others);

    const healthy = await worker.givenBacklog(3, { settings: { pixelId: healthyPixel } });
    await tell(worker, healthy.ids);
    await allDelivered(worker, healthy.ids);
    for (const id of others) expect(await worker.parcelOf(id)).toMatchObject({ phase: 'waiting', claim: 0 });

    platform.release();
    await allDelivered(worker, [...slow.ids, ...others]);
    const requests = platform.requests.filter(({ pixelId }) => pixelId === slowPixel);
    expect(requests.map(({ events }) => events)).toEqual([1, 4]);
  });

  it('ten slow connections delay none of ninety others', async () => {
    await using platform = await givenHeldPlatform((pixelId) => pixelId === slowPixel);
    await using worker = await givenWorker({ platformUrl: platform.url, isStarted: false });
    const given = async (connections: number, pixelId: string) => {
      const backlogs = [];
      for (let one = 0; one < connections; one += 1) {
        backlogs.push(await worker.givenBacklog(10, { settings: { pixelId }, parcelSize: 5 }));
      }
      return backlogs.flatMap(({ ids }) => ids);
    };
    const slow = await given(10, slowPixel);
    const healthy = await given(90, healthyPixel);
    worker.startDelivery();
    await allDelivered(worker, healthy);
    expect(await count(worker, slow, { state: 'pending' })).toBe(slow.length);

    platform.release();
    await allDelivered(worker, slow);
  });

  it('an open circuit costs no attempt, and deliveries resume by themselves', async () => {
    await using platform = await givenHeldPlatform();
    const tuning = { requests: 4, requestsMin: 2, shortestMs: 1_500, longestMs: 1_500 };
    await using worker = await givenWorker({ platformUrl: platform.url, tuning });
    const { ids, connectionId } = await worker.givenBacklog(1);
    await tell(worker, ids);
    (await platform.request(0)).answer(unavailable);
    while (worker.delivery.held() > 0) await pause(5);
    const second = await worker.givenMore(1, connectionId);
    await tell(worker, second);
    (await platform.request(1)).answer(unavailable);
    const openings = /leadback_connection_rests_total\{[^}]*platform="meta"[^}]*\} 1/;
    await eventually(async () => expect(await worker.metrics.metrics()).toMatch(openings));

    platform.release();
    const others = await worker.givenMore(3, connectionId);
    await tell(worker, others);
    await allDelivered(worker, others);
  });

  it('a backlog is sent in few requests, regardless of the hints received', async () => {
    await using platform = await givenHeldPlatform();
    await using worker = await givenWorker({ platformUrl: platform.url });
    const { ids } = await worker.givenBacklog(30);
    await tell(worker, ids.slice(0, 2));
    await platform.request(0);
    await pause(600); // what is claimed until now shares a second request
    platform.release();
    await allDelivered(worker, ids);
    expect(platform.requests.length).toBeLessThanOrEqual(3);
  });
});
