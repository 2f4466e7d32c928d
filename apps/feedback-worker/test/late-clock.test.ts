import { platformNames } from '@leadback/domain';
import { expect, it, vi } from 'vitest';
import { givenWorker } from './given-worker.ts';

it('a worker whose clock is ten minutes late delivers a conversion that occurs now to every platform', async () => {
  await using worker = await givenWorker({ now: () => Date.now() - 10 * 60_000 });
  for (const platform of platformNames) {
    const { id } = await worker.givenFeedback({ connection: { platform } });
    await worker.delivery.handle({ feedbackId: id, platform });
    expect(await worker.stored(id)).toMatchObject({ state: 'delivered', reason: null });
  }
});

it('an event that only the platform finds too old is skipped after one attempt and delays no other event', async () => {
  // not too old by the worker's clock
  await using worker = await givenWorker({ now: () => Date.now() - 2 * 60 * 60_000 });
  const { ids, connectionId } = await worker.givenBacklog(3);
  const [tooOld = 0] = await worker.givenMore(1, connectionId);
  await worker.database.pool.query(
    `update conversion set occurred_at = now() - interval '7 days 10 minutes' from feedback
     where feedback.id = $1 and conversion.id = conversion_id`,
    [tooOld],
  );
  const all = [...ids, tooOld];
  await Promise.all(all.map((feedbackId) => worker.delivery.handle({ feedbackId, platform: 'meta' })));
  await vi.waitFor(async () => {
    const rows = await Promise.all(all.map(worker.stored));
    expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual([
      ...ids.map(() => ['delivered', 1]),
      ['skipped', 1],
    ]);
  }, 20_000);
  expect(await worker.stored(tooOld)).toMatchObject({ reason: 'event_too_old', closedAt: expect.any(Date) });
  expect(await worker.attemptsOf(tooOld)).toMatchObject([
    { outcome: 'rejected', reason: 'event_too_old', httpStatus: 400 },
  ]);
});
