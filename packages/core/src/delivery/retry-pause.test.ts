import { describe, expect, it } from 'vitest';
import { retryPauseMs } from './next-state.ts';

const seconds = (ms: number) => ms / 1000;

describe('the pause before a retry', () => {
  it.each([
    [1, 10, 20],
    [2, 10, 40],
    [5, 10, 320],
    [11, 10, 20_480],
    [12, 10, 21_600],
    [1_000, 10, 21_600],
  ])('the pause after %d attempts is drawn between %d and %d s', (attempts, least, most) => {
    expect(seconds(retryPauseMs(attempts, 0, () => 0))).toBe(least);
    expect(seconds(retryPauseMs(attempts, 0, () => 1))).toBe(most);
  });

  it('the pause before a retry is at least what the platform requests, and at most six hours', () => {
    expect(seconds(retryPauseMs(1, 300_000))).toBe(300);
    expect(seconds(retryPauseMs(1, 1e12))).toBe(21_600);
  });
});
