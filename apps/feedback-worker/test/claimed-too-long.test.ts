import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { givenHeldPlatform } from './given-held-platform.ts';
import { givenWorker } from './given-worker.ts';

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
