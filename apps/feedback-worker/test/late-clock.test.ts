import { platformNames } from '@leadback/domain';
import { afterEach, expect, it, vi } from 'vitest';
import { givenWorker } from './given-worker.ts';

const minuteMs = 60_000;

afterEach(() => vi.useRealTimers());

it('a worker whose clock is ten minutes late delivers a conversion that occurs now to every platform', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 10 * minuteMs });
  // the platforms share this process, but not its late clock
  await using worker = await givenWorker({ sandboxNow: () => performance.timeOrigin + performance.now() });
  for (const platform of platformNames) {
    const { id } = await worker.givenFeedback({ connection: { platform } });
    await worker.delivery.handle({ feedbackId: id, platform });
    expect(await worker.stored(id)).toMatchObject({ state: 'delivered', reason: null });
  }
});

it('an event that only the platform finds too old is skipped after one attempt and delays no other event', async () => {
  // two hours ahead: the event is not too old by the clocks of the worker and PostgreSQL
  await using worker = await givenWorker({ sandboxNow: () => Date.now() + 120 * minuteMs });
  const { ids, connectionId } = await worker.givenBacklog(3);
  const [tooOld = 0] = await worker.givenMore(1, connectionId);
  await worker.database.pool.query(
    `update conversion set occurred_at = now() - interval '6 days 22 hours 10 minutes' from feedback
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

it('an event that occurs in four minutes waits until then, without an attempt', async () => {
  await using worker = await givenWorker();
  const { id } = await worker.givenFeedback();
  await worker.database.pool.query(
    `update conversion set occurred_at = now() + interval '4 minutes' from feedback
     where feedback.id = $1 and conversion.id = conversion_id`,
    [id],
  );
  await worker.delivery.handle({ feedbackId: id, platform: 'meta' });
  expect(await worker.stored(id)).toMatchObject({ state: 'pending', reason: 'early', attempts: 0 });
  expect(await worker.attemptsOf(id)).toEqual([]);
  const { rows } = await worker.database.pool.query(
    `select due_at - now() between interval '3 minutes' and interval '4 minutes' as waits from feedback where id = $1`,
    [id],
  );
  expect(rows).toEqual([{ waits: true }]);
});
