import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boundedDisk, DiskHangs } from './disk.ts';

const outcomeOf = (work: Promise<unknown>) =>
  work.catch((error: unknown) => (error instanceof DiskHangs ? 'hangs' : 'failed'));

describe('a bounded disk', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('returns what work on the disk returns, also its failure', async () => {
    const disk = boundedDisk();
    expect(await disk(() => Promise.resolve(1))).toBe(1);
    expect(await outcomeOf(disk(() => Promise.reject(new Error('full'))))).toBe('failed');
  });

  it('rejects after 500 ms what has not ended, and what waits for it', async () => {
    const disk = boundedDisk();
    const waiting = vi.fn<() => Promise<void>>();
    const outcomes = [disk(() => new Promise(() => {})), disk(() => new Promise(() => {})), disk(waiting)].map(
      outcomeOf,
    );
    const isOver = vi.fn<() => void>();
    void Promise.all(outcomes).then(isOver);
    await vi.advanceTimersByTimeAsync(499);
    expect(isOver).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toHaveBeenCalled();
    expect(await Promise.all(outcomes)).toEqual(['hangs', 'hangs', 'hangs']);
    expect(waiting).not.toHaveBeenCalled();
  });

  it('takes two threads at most while the disk hangs, and rejects at once', async () => {
    const disk = boundedDisk();
    const work = vi.fn<() => Promise<never>>(() => new Promise(() => {}));
    const hanging = [disk(work), disk(work)].map(outcomeOf);
    await vi.advanceTimersByTimeAsync(500);
    expect(await Promise.all(hanging)).toEqual(['hangs', 'hangs']);
    expect(await outcomeOf(disk(work))).toBe('hangs');
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('works again once the disk responds', async () => {
    const disk = boundedDisk();
    const late = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const hanging = late.map(({ promise }) => outcomeOf(disk(() => promise)));
    await vi.advanceTimersByTimeAsync(500);
    expect(await Promise.all(hanging)).toEqual(['hangs', 'hangs']);
    for (const { resolve } of late) resolve(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(await disk(() => Promise.resolve(2))).toBe(2);
  });

  it('starts work in the order of its arrival, two at a time', async () => {
    const disk = boundedDisk();
    const started: number[] = [];
    const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
    const all = ends.map(({ promise }, index) =>
      disk(() => {
        started.push(index);
        return promise;
      }),
    );
    expect(started).toEqual([0, 1]);
    ends[1]?.resolve();
    await all[1];
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual([0, 1, 2]);
    for (const { resolve } of ends) resolve();
    await Promise.all(all);
    expect(started).toEqual([0, 1, 2, 3]);
  });
});
