import { describe, expect, it, vi } from 'vitest';
import { batch } from './batch.ts';

/** Records the batches; each completes when its gate is resolved. */
const recorder = () => {
  const batches: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const run = async (items: readonly number[]) => {
    batches.push([...items]);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return items.map((item) => item * 10);
  };
  return { batches, gates, run };
};

describe('batch', () => {
  it('starts a single call at once and batches the calls that arrive meanwhile', async () => {
    const { batches, gates, run } = recorder();
    const call = batch(run, { itemsMax: 3, runsMax: 1 });
    const results = [1, 2, 3, 4, 5].map((item) => call(item));
    expect(batches).toEqual([[1]]);
    gates[0]?.resolve();
    await results[0];
    await expect.poll(() => batches).toEqual([[1], [2, 3, 4]]);
    gates[1]?.resolve();
    await expect.poll(() => batches).toEqual([[1], [2, 3, 4], [5]]);
    gates[2]?.resolve();
    expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50]);
  });

  it('batches calls that arrive within the linger time, and runs a full batch at once', async () => {
    vi.useFakeTimers();
    const { batches, run } = recorder();
    const call = batch(run, { itemsMax: 3, runsMax: 2, lingerMs: 100 });
    for (const item of [1, 2]) void call(item);
    vi.advanceTimersByTime(99);
    expect(batches).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(batches).toEqual([[1, 2]]);
    for (const item of [3, 4, 5]) void call(item);
    expect(batches).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    vi.useRealTimers();
  });

  it('rejects all waiting calls if a run fails for all', async () => {
    const { gates, run } = recorder();
    const call = batch(run, { itemsMax: 1, runsMax: 1, failureScope: () => 'all' });
    const results = [1, 2, 3].map((item) => call(item));
    gates[0]?.reject(new Error('away'));
    const outcomes = await Promise.allSettled(results);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('rejects only the failing item of a batch', async () => {
    const call = batch(
      (items: readonly number[]) =>
        items.includes(13) ? Promise.reject(new Error('unlucky')) : Promise.resolve(items.map(String)),
      { itemsMax: 10, runsMax: 1, failureScope: () => 'item' },
    );
    const outcomes = await Promise.allSettled([1, 12, 13, 14].map((item) => call(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });
});
