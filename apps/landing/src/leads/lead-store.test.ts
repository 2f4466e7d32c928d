import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databaseClock } from './lead-store.ts';

const minute = 60_000;
const hour = 60 * minute;
const noon = Date.UTC(2026, 10, 27, 12);

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** A request that takes 10 ms, after 4 of which PostgreSQL reads its clock. */
const read = (databaseAheadMs: number) => async () => {
  pass(4);
  const time = new Date(Date.now() + databaseAheadMs);
  pass(6);
  return time;
};

describe('databaseClock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is the clock of this machine before the first correction, and if that is right', async () => {
    const clock = databaseClock();
    expect(clock.nowMs()).toBe(noon);
    await clock.correctBy(read(0));
    expect(clock.nowMs()).toBe(noon + 10);
    await clock.correctBy(read(3)); // it may have been read 3 ms later
    expect(clock.nowMs()).toBe(noon + 20);
  });

  it.each([hour, -hour])('is exact to the time of a request if the machine is off by %d ms', async (ms) => {
    const clock = databaseClock();
    const time = await clock.correctBy(read(ms));
    expect(time.getTime()).toBe(noon + 4 + ms);
    expect(Math.abs(clock.nowMs() - Date.now() - ms)).toBeLessThanOrEqual(6);
    pass(minute);
    expect(Math.abs(clock.nowMs() - Date.now() - ms)).toBeLessThanOrEqual(6);
  });

  it('follows a machine whose clock is set', async () => {
    const clock = databaseClock();
    await clock.correctBy(read(hour));
    pass(hour);
    await clock.correctBy(read(0));
    expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThanOrEqual(6);
  });

  it('keeps its correction if a request fails', async () => {
    const clock = databaseClock();
    await clock.correctBy(read(hour));
    const before = clock.nowMs();
    await expect(clock.correctBy(() => Promise.reject(new Error('unavailable')))).rejects.toThrow('unavailable');
    expect(clock.nowMs()).toBe(before);
  });
});
