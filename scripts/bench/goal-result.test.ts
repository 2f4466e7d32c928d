import { expect, it } from 'vitest';
import { goalResult } from './goal-result.ts';

it('divides the figures of the same round and judges the median of the ratios', () => {
  const goal = { measurement: 'ours', figure: 'per second', beside: 'theirs', target: { atLeast: 1.5 } };
  const ours = [{ 'per second': 200 }, { 'per second': 30 }, { 'per second': 160 }];
  const theirs = [{ 'per second': 100 }, { 'per second': 10 }, { 'per second': 200 }];
  expect(goalResult(goal, { ours, theirs })).toMatchObject({
    values: [2, 3, 0.8],
    median: 2,
    min: 0.8,
    max: 3,
    isMet: true,
  });
});

it('judges a figure without a baseline by itself', () => {
  const goal = { measurement: 'latency', figure: 'p50 ms', target: { atMost: 3 } };
  expect(goalResult(goal, { latency: [{ 'p50 ms': 4 }] })).toMatchObject({ values: [4], isMet: false });
});

it('does not count a missing figure as a target that is met', () => {
  const goal = { measurement: 'latency', figure: 'p50 ms', target: { atMost: 3 } };
  expect(goalResult(goal, { latency: [{}] }).isMet).toBe(false);
});
