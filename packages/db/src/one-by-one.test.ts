import { afterEach, expect, it, vi } from 'vitest';
import { oneByOne } from './batch.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('settles some calls at a time, and gives up those that were not started within 1.5 s', async () => {
  vi.useFakeTimers();
  const [started, givenUp]: [number[], number[]] = [[], []];
  const all = oneByOne(
    Array.from({ length: 20 }, (_, index) => index),
    {
      settle: (call) => {
        started.push(call);
        return new Promise((resolve) => {
          setTimeout(resolve, 500);
        });
      },
      giveUp: (call) => void givenUp.push(call),
    },
  );
  expect(started).toEqual([0, 1, 2, 3, 4]);
  await vi.advanceTimersByTimeAsync(1_499);
  expect([started.length, givenUp]).toEqual([15, []]);
  await vi.advanceTimersByTimeAsync(1);
  await all;
  expect([started.length, givenUp]).toEqual([15, [15, 16, 17, 18, 19]]);
});
