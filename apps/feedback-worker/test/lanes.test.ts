import { givenDatabase, secretsKeys } from '@leadback/testing';
import { platformRegistry } from '@leadback/platforms';
import { createLogger, createMetrics } from '@leadback/server/app';
import { expect, it, vi } from 'vitest';
import { workerEvents } from '../src/events.ts';
import { connectionLanes } from '../src/lanes.ts';

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
