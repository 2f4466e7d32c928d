import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { batch } from './batch.ts';

/** Records the batches; each completes when its gate is resolved. */
const recorder = () => {
  const batches: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const admissions: unknown[] = [];
  const run = async (items: readonly number[], admission?: unknown) => {
    batches.push([...items]);
    admissions.push(admission);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return items.map((item) => item * 10);
  };
  return { batches, gates, admissions, run };
};

const never = () => new Promise<string>(() => {});

describe('batch', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('takes the usual number of items, and its share of all that wait once many do', async () => {
    const { batches, gates, run } = recorder();
    const call = batch(run, { itemsUsual: 2, itemsMax: 4, runsMax: 2 });
    const items = Array.from({ length: 14 }, (_, index) => index);
    const results = items.map((item) => call(item));
    await turn();
    for (let ended = 0; ended < 5; ended += 1) {
      await expect.poll(() => gates.length).toBeGreaterThan(ended);
      gates[ended]?.resolve();
      await turn();
    }
    expect(batches.map(({ length }) => length)).toEqual([4, 4, 3, 2, 1]);
    expect(await Promise.all(results)).toEqual(items.map((item) => item * 10));
  });

  it('batches the calls of one turn of the event loop, and those that arrive during a run', async () => {
    const { batches, gates, run } = recorder();
    const call = batch(run, { itemsMax: 3, runsMax: 1 });
    const results = [1, 2].map((item) => call(item));
    expect(batches).toEqual([]);
    await turn();
    expect(batches).toEqual([[1, 2]]);
    for (const item of [3, 4, 5, 6]) results.push(call(item));
    await turn();
    expect(batches).toHaveLength(1);
    gates[0]?.resolve();
    await expect
      .poll(() => batches)
      .toEqual([
        [1, 2],
        [3, 4, 5],
      ]);
    gates[1]?.resolve();
    await expect.poll(() => batches).toEqual([[1, 2], [3, 4, 5], [6]]);
    gates[2]?.resolve();
    expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50, 60]);
  });

  it('batches calls that arrive within the linger time, and runs a full batch before it is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { batches, run } = recorder();
    const call = batch(run, { itemsMax: 3, runsMax: 2, lingerMs: 100 });
    for (const item of [1, 2]) void call(item);
    await turn();
    vi.advanceTimersByTime(99);
    expect(batches).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(batches).toEqual([[1, 2]]);
    for (const item of [3, 4, 5]) void call(item);
    await turn();
    expect(batches).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('lets no call wait for others if there are enough already', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { batches, run } = recorder();
    const call = batch(run, { itemsMax: 10, runsMax: 2, lingerMs: 100, lingerMax: 2 });
    void call(1);
    await turn();
    expect(batches).toEqual([]);
    for (const item of [2, 3]) void call(item);
    await turn();
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('counts an item by its size, and runs one that exceeds the maximum alone', async () => {
    const { batches, gates, run } = recorder();
    const call = batch(run, { itemsMax: 5, runsMax: 10, sizeOf: (item) => item });
    for (const item of [2, 3, 1, 9, 4]) void call(item);
    for (let round = 0; round < 4; round += 1) {
      await turn();
      gates[round]?.resolve();
    }
    await expect.poll(() => batches).toEqual([[2, 3], [1], [9], [4]]);
  });

  it('runs beside another run when a batch is full or has waited long enough', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { batches, gates, run } = recorder();
    const call = batch(run, { itemsMax: 3, runsMax: 3, besideMs: 10 });
    void call(1);
    await turn();
    for (const item of [2, 3]) void call(item);
    await turn();
    vi.advanceTimersByTime(9);
    expect(batches).toEqual([[1]]);
    vi.advanceTimersByTime(1);
    expect(batches).toEqual([[1], [2, 3]]);
    for (const item of [4, 5, 6]) void call(item);
    await turn();
    expect(batches).toEqual([[1], [2, 3], [4, 5, 6]]);
    void call(7);
    await turn();
    for (const gate of gates) gate.resolve();
    await expect.poll(() => batches).toEqual([[1], [2, 3], [4, 5, 6], [7]]);
  });

  it('shares a run between the calls that arrive before it is admitted, and passes the admission to it', async () => {
    const { batches, admissions, run } = recorder();
    const admitted = Promise.withResolvers<string>();
    const admit = vi.fn<() => Promise<string>>(() => admitted.promise);
    const call = batch(run, { itemsMax: 10, runsMax: 1, admit });
    void call(1);
    await turn();
    void call(2);
    await turn();
    expect(batches).toEqual([]);
    admitted.resolve('slot 7');
    await turn();
    expect([batches, admissions, admit.mock.calls.length]).toEqual([[[1, 2]], ['slot 7'], 1]);
  });

  it('asks for an admission per run', async () => {
    const { admissions, gates, run } = recorder();
    let slot = 0;
    const admit = () => Promise.resolve((slot += 1));
    const call = batch(run, { itemsMax: 2, runsMax: 1, admit });
    const results = [1, 2, 3].map((item) => call(item));
    for (const index of [0, 1]) {
      await expect.poll(() => gates).toHaveLength(index + 1);
      gates[index]?.resolve();
    }
    await Promise.all(results);
    expect(admissions).toEqual([1, 2]);
  });

  it('runs waiting and further calls at once when it becomes urgent, whatever they wait for', async () => {
    const stop = new AbortController();
    const { batches, gates, run } = recorder();
    const call = batch(run, { itemsMax: 2, runsMax: 1, urgent: stop.signal });
    const results = [call(1)];
    await turn();
    for (const item of [2, 3, 4]) results.push(call(item));
    await turn();
    stop.abort();
    expect(batches).toEqual([[1], [2, 3], [4]]);
    results.push(call(5));
    await turn();
    expect(batches).toEqual([[1], [2, 3], [4], [5]]);
    for (const gate of gates) gate.resolve();
    expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50]);
  });

  it('does not wait for an admission when it becomes urgent', async () => {
    const stop = new AbortController();
    const { batches, admissions, run } = recorder();
    const call = batch(run, { itemsMax: 2, runsMax: 1, admit: never, urgent: stop.signal });
    void call(1);
    await turn();
    stop.abort();
    expect([batches, admissions]).toEqual([[[1]], [undefined]]);
  });

  it('rejects all waiting calls if a run fails for all', async () => {
    const { gates, run } = recorder();
    const call = batch(run, { itemsMax: 1, runsMax: 1, failureScope: () => 'all' });
    const results = Promise.allSettled([1, 2, 3].map((item) => call(item)));
    await turn();
    gates[0]?.reject(new Error('away'));
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('rejects calls at once while as many wait as may, and accepts others once a run has taken them', async () => {
    const { batches, gates, run } = recorder();
    const call = batch(run, { itemsMax: 2, runsMax: 1, bound: { waitingMax: 3, overflow: () => new Error('full') } });
    const first = call(1);
    await turn();
    const waiting = [2, 3, 4].map((item) => call(item));
    await expect(call(5)).rejects.toThrow('full');
    gates[0]?.resolve();
    expect(await first).toBe(10);
    await expect.poll(() => batches).toEqual([[1], [2, 3]]);
    const last = [6, 7].map((item) => call(item));
    await expect(call(8)).rejects.toThrow('full');
    for (const index of [1, 2, 3]) {
      await expect.poll(() => gates).toHaveLength(index + 1);
      gates[index]?.resolve();
    }
    expect(await Promise.all([...waiting, ...last])).toEqual([20, 30, 40, 60, 70]);
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
