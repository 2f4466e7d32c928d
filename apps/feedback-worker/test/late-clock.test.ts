import { platformNames } from '@leadback/domain';
import { eventually } from '@leadback/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { givenWorker } from './given-worker.ts';

const minuteMs = 60_000;
// the platforms and PostgreSQL share this machine, but not the worker's wrong clock
const rightNow = () => performance.timeOrigin + performance.now();
const minutesAgo = (minutes: number) => new Date(rightNow() - minutes * minuteMs);
/** The age of the oldest event that is still sent to a platform that accepts it for so many days, less half an hour. */
const oldMinutesOf = (days: number) => (days * 24 - 1) * 60 - 30;
// for Meta
const oldMinutes = oldMinutesOf(7);

afterEach(() => vi.useRealTimers());

it.each([
  ['ten minutes late', -10],
  ['an hour ahead', 60],
])(
  'a worker whose clock is %s delivers a conversion that occurs now to every platform',
  async (_name, aheadMinutes) => {
    vi.useFakeTimers({ toFake: ['Date'], now: rightNow() + aheadMinutes * minuteMs });
    await using worker = await givenWorker({ sandboxNow: rightNow });
    for (const platform of platformNames) {
      const { id } = await worker.givenDelivery({ connection: { platform } });
      await worker.deliver([id]);
      expect(await worker.stored(id)).toMatchObject({ state: 'delivered', reason: null });
    }
  },
);

it('a worker whose clock jumps ends no delivery because of it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: rightNow() });
  await using worker = await givenWorker({ sandboxNow: rightNow });
  for (const aheadMinutes of [60, -6, 24 * 60, -24 * 60, 0]) {
    vi.setSystemTime(rightNow() + aheadMinutes * minuteMs);
    const old = await worker.givenDelivery({ occurredAt: minutesAgo(oldMinutes) });
    const recent = await worker.givenDelivery({ occurredAt: minutesAgo(0) });
    await worker.deliver([old.id, recent.id]);
    expect(await worker.stored(old.id)).toMatchObject({ state: 'delivered' });
    expect(await worker.stored(recent.id)).toMatchObject({ state: 'delivered' });
  }
});

it.each([
  ['meta', 7, 400],
  ['linkedin', 90, 400],
  ['microsoft', 90, 200],
] as const)(
  'an event that only %s finds too old is skipped after one attempt and delays no other event',
  async (...given) => {
    const [platform, days, httpStatus] = given;
    // two hours ahead: the event is not too old by the clocks of the worker and PostgreSQL
    await using worker = await givenWorker({ sandboxNow: () => Date.now() + 120 * minuteMs });
    const { ids, connectionId } = await worker.givenBacklog(3, { platform });
    const [tooOld = 0] = await worker.givenMore(1, connectionId, { occurredAt: minutesAgo(oldMinutesOf(days) - 20) });
    const all = [...ids, tooOld];
    await worker.deliver(all);
    await eventually(async () => {
      const rows = await Promise.all(all.map(worker.stored));
      expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual([
        ...ids.map(() => ['delivered', 1]),
        ['skipped', 1],
      ]);
    });
    expect(await worker.stored(tooOld)).toMatchObject({ reason: 'event_too_old', closedAt: expect.any(Date) });
    expect(await worker.attemptsOf(tooOld)).toMatchObject([
      { outcome: 'rejected', reason: 'event_too_old', httpStatus },
    ]);
  },
);

it('an event that occurs in four minutes waits until then, without an attempt', async () => {
  await using worker = await givenWorker();
  const { id } = await worker.givenDelivery({ occurredAt: minutesAgo(-4) });
  await worker.deliver([id]);
  expect(await worker.stored(id)).toMatchObject({ state: 'pending', reason: 'early', attempts: 0 });
  expect(await worker.attemptsOf(id)).toEqual([]);
  const { notBefore } = await worker.parcelOf(id);
  expect(notBefore.getTime()).toBeGreaterThan(minutesAgo(-3).getTime());
  expect(notBefore.getTime()).toBeLessThanOrEqual(minutesAgo(-4).getTime());
});
