import { eventTooOld, type Outcome } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { nextState, postponed, skipped, retryPauseMs } from './settle.ts';

const none = { attempts: 0, throttled: 0 };
const closed = (state: string, reason: string | null) => ({ state, reason, retryInMs: null, isCounted: true });

describe('the next state of a delivery', () => {
  it.each<[Outcome, ReturnType<typeof closed>]>([
    [{ kind: 'delivered', request: 'request-1' }, closed('delivered', null)],
    [{ kind: 'rejected', reason: '100: Invalid parameter' }, closed('failed', '100: Invalid parameter')],
    [{ kind: 'rejected', reason: eventTooOld }, closed('skipped', eventTooOld)],
  ])('the outcome %o closes a delivery', (outcome, expected) => {
    expect(nextState(outcome, none)).toEqual(expected);
  });

  it('an unavailable platform costs an attempt, and each makes the longest pause twice as long', () => {
    for (const attempts of [0, 1, 5]) {
      const { retryInMs, ...next } = nextState({ kind: 'unavailable', reason: '503' }, { attempts, throttled: 9 });
      expect(next).toEqual({ state: 'pending', reason: '503', isCounted: true });
      expect(retryInMs).toBeGreaterThanOrEqual(10_000);
      expect(retryInMs).toBeLessThanOrEqual(20_000 * 2 ** attempts);
    }
  });

  it('a platform that throttles costs no attempt, and each time makes the longest pause twice as long', () => {
    for (const throttled of [0, 1, 8]) {
      const pauses = Array.from({ length: 100 }, () => {
        const { retryInMs, ...next } = nextState({ kind: 'throttled', reason: '429' }, { attempts: 12, throttled });
        expect(next).toEqual({ state: 'pending', reason: '429', isCounted: false });
        return retryInMs ?? 0;
      });
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(10_000);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(20_000 * 2 ** throttled);
      // the chance that none of a hundred is in the upper half is 2^-100
      expect(Math.max(...pauses)).toBeGreaterThan(10_000 + (20_000 * 2 ** throttled - 10_000) / 2);
    }
  });

  it.each(['unavailable', 'throttled'] as const)('a pause that an %s platform requests is kept', (kind) => {
    expect(nextState({ kind, reason: 'busy', retryAfterMs: 600_000 }, none).retryInMs).toBe(600_000);
  });

  it('a delivery of a rejected connection is due as soon as its connection is fixed', () => {
    expect(nextState({ kind: 'refused', reason: '190: expired' }, { attempts: 3, throttled: 0 })).toEqual({
      state: 'pending',
      reason: '190: expired',
      retryInMs: 0,
      isCounted: true,
    });
  });

  it.each([
    [1_000, 1_000],
    [3_600_000, 30_000],
  ])('a delivery that could be sent in %d ms is free for other workers in %d ms', (retryAfterMs, retryInMs) => {
    expect(nextState({ kind: 'postponed', reason: 'quota', retryAfterMs }, { attempts: 2, throttled: 0 })).toEqual({
      state: 'pending',
      reason: 'quota',
      retryInMs,
      isCounted: false,
    });
  });

  it('what was not sent costs no attempt', () => {
    expect(skipped('consent')).toMatchObject({ state: 'skipped', reason: 'consent', isCounted: false });
    expect(postponed('early', 240_000)).toMatchObject({ state: 'pending', retryInMs: 240_000, isCounted: false });
  });
});

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
