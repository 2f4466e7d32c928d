import { setTimeout as pause } from 'node:timers/promises';
import { Delivery } from '@leadback/db';
import { platformRegistry } from '@leadback/platforms';
import { createLogger, createMetrics } from '@leadback/server/app';
import { eventually, givenDatabase, secretsKeys } from '@leadback/testing';
import { describe, expect, it, vi } from 'vitest';
import { workerEvents } from '../src/events.ts';
import { connectionLanes } from '../src/lanes.ts';
import { type TestWorker, givenHeldPlatform, givenWorker, unavailable } from './given-worker.ts';

const givenLanes = async (platformMax: number) => {
  const database = await givenDatabase();
  const lanes = connectionLanes({
    pool: database.pool,
    secretsKeys,
    platforms: platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:1' }),
    events: workerEvents(createLogger('feedback-worker', 'silent'), createMetrics('feedback-worker')),
    stopping: new AbortController().signal,
    onReady: () => {},
    platformMax,
  });
  return { lanes, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
};

it('drops lanes after ten idle minutes, but none that holds deliveries or has more', async () => {
  await using given = await givenLanes(1_000);
  const { lanes } = given;
  for (const id of [1, 2, 3]) lanes.of(id, 'meta');
  lanes.of(2, 'meta').held = 1;
  lanes.of(3, 'meta').hasMore = true;
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 11 * 60_000);
  lanes.of(4, 'meta');
  lanes.dropIdle();
  expect(lanes.all().map(({ connectionId }) => connectionId)).toEqual([2, 3, 4]);
});

it('a lane may hold its share of the busy lanes of its platform, at least a large batch and at most two full requests', async () => {
  await using given = await givenLanes(5_000);
  const { lanes } = given;
  const lane = lanes.of(1, 'meta');
  const google = lanes.of(2, 'google');
  expect([lanes.capacities()(lane), lanes.capacities()(google)]).toEqual([2_000, 4_000]);
  for (let id = 11; id <= 20; id += 1) lanes.of(id, 'meta').hasMore = true;
  expect([lanes.capacities()(lane), lanes.capacities()(google)]).toEqual([500, 4_000]);
  for (let id = 21; id <= 110; id += 1) lanes.of(id, 'meta').held = 1;
  expect([lanes.capacities()(lane), lanes.capacities()(google)]).toEqual([200, 4_000]);
});

const count = (worker: TestWorker, ids: readonly number[], where: Partial<Pick<Delivery, 'state' | 'attempts'>>) =>
  worker.database.em().count(Delivery, { id: { $in: [...ids] }, ...where });
const allDelivered = (worker: TestWorker, ids: readonly number[]) =>
  eventually(async () => expect(await count(worker, ids, { state: 'delivered', attempts: 1 })).toBe(ids.length));

const parcelSize = 20;

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

it('a backlog of 3,000 events for Google needs two requests', async () => {
  await using worker = await givenWorker({ hasQuota: true, isStarted: false });
  const { ids } = await worker.givenBacklog(3_000, { platform: 'google', parcelSize: 50 });
  worker.startDelivery();
  await eventually(async () => expect(await count(worker, ids, { state: 'delivered', attempts: 1 })).toBe(3_000));
  const metrics = await worker.metrics.metrics();
  expect(metrics).toMatch(/platform_request_seconds_count\{[^}]*platform="google",outcome="delivered"[^}]*\} 2\n/);
  expect(metrics).toMatch(/leadback_quota_turns_total\{[^}]*outcome="taken"[^}]*\} 2\n/);
});

it("a used-up quota of the day postpones a connection's deliveries without attempts, and delays no other's", async () => {
  await using worker = await givenWorker({ hasQuota: true });
  const { pool } = worker.database;
  const first = await worker.givenDelivery({ connection: { platform: 'google' } });
  await worker.deliver([first.id]);
  await pool.query('update platform_quota set used = 100000');

  const waiting = await worker.givenMore(5, first.connectionId);
  const other = await worker.givenBacklog(3, { platform: 'google' });
  const meta = await worker.givenBacklog(3);
  await worker.deliver([...waiting, ...other.ids, ...meta.ids]);
  expect(await count(worker, [...other.ids, ...meta.ids], { state: 'delivered', attempts: 1 })).toBe(6);
  expect(await count(worker, waiting, { state: 'pending', attempts: 0 })).toBe(5);
  for (const id of waiting) expect(await worker.attemptsOf(id)).toEqual([]);
  // the platform is well: its status page has nothing to say
  expect(worker.delivery.openCircuits()).toEqual([]);
  // another worker may find that a new day has begun
  const { rows } = await pool.query(
    `select bool_and(not_before <= now() + interval '30 seconds' and phase = 'waiting') as soon
     from delivery_due where connection_id = $1`,
    [first.connectionId],
  );
  expect(rows).toEqual([{ soon: true }]);
});
