import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { confirmWatches } from './publisher.ts';

const now = () => performance.now();

describe('a watched channel', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => vi.useRealTimers());

  it('is given up when all messages of five seconds were rejected', () => {
    const watch = confirmWatches()();
    const sentAt = now();
    vi.advanceTimersByTime(4_900);
    expect(watch.rejected(sentAt)).toBe(undefined);
    vi.advanceTimersByTime(100);
    expect(watch.rejected(now())?.message).toMatch(/^rejected all messages .* for 5 s$/);
  });

  it('is given up when a message has waited for ten seconds and nothing was confirmed since', () => {
    const watch = confirmWatches()();
    const sentAt = now();
    vi.advanceTimersByTime(10_000);
    expect(watch.timedOut(sentAt)?.message).toBe('confirmed no message for 10 s');
  });

  it('is kept when a later message was confirmed', () => {
    const watch = confirmWatches()();
    const sentAt = now();
    vi.advanceTimersByTime(9_900);
    watch.confirmed();
    vi.advanceTimersByTime(100);
    expect(watch.timedOut(sentAt)).toBe(undefined);
    expect(watch.rejected(sentAt)).toBe(undefined);
  });

  it('is kept while RabbitMQ blocks publishers, and for five seconds after', () => {
    const watch = confirmWatches()();
    const sentAt = now();
    watch.setBlocked(true);
    vi.advanceTimersByTime(60_000);
    expect(watch.timedOut(sentAt)).toBe(undefined);
    watch.setBlocked(false);
    expect(watch.timedOut(sentAt)).toBe(undefined);
    vi.advanceTimersByTime(5_000);
    expect(watch.timedOut(sentAt)).toBeInstanceOf(Error);
  });

  it('is closed to messages for five seconds after a timeout, or until one is confirmed', () => {
    const watch = confirmWatches()();
    watch.timedOut(now());
    vi.advanceTimersByTime(4_900);
    expect(watch.isOpen()).toBe(false);
    vi.advanceTimersByTime(100);
    expect(watch.isOpen()).toBe(true);
    watch.timedOut(now());
    watch.confirmed();
    expect(watch.isOpen()).toBe(true);
  });

  it('has twice as long as the one before, at most a minute, and five seconds again after a confirm', () => {
    const watchNext = confirmWatches();
    const patience = () => {
      const watch = watchNext();
      for (let seconds = 1; ; seconds += 1) {
        vi.advanceTimersByTime(1_000);
        if (watch.rejected(now() - seconds * 1_000)) return seconds;
      }
    };
    expect([1, 2, 3, 4, 5, 6].map(patience)).toEqual([5, 10, 20, 40, 60, 60]);
    watchNext().confirmed();
    expect(patience()).toBe(5);
  });
});
