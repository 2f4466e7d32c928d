import type { BatchOptions } from './batch-options.ts';
import { oneByOne } from './one-by-one.ts';

export type { FailureScope } from './batch-options.ts';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches concurrent calls. Calls of one turn of the event loop share a run, and so do calls that arrive while `runsMax`
 * runs are in progress. `run` must return one result per item, in order.
 */
export const batch = <Item, Result, Admission = void>(
  run: (items: readonly Item[], admission: Admission | undefined) => Promise<readonly Result[]>,
  {
    itemsMax,
    itemsUsual = itemsMax,
    runsMax,
    bound,
    besideMs = 0,
    sizeOf = () => 1,
    lingerMs = 0,
    lingerMax = itemsMax,
    admit,
    urgent,
    failureScope = () => 'batch',
  }: BatchOptions<Item, Admission>,
): ((item: Item) => Promise<Result>) => {
  const waiting: Waiting<Item, Result>[] = [];
  let waitingSize = 0;
  let runs = 0;
  let lingering: NodeJS.Timeout | undefined;
  let deferring: NodeJS.Timeout | undefined;
  let isDue = false;
  let isScheduled = false;

  const endDeferral = (): void => {
    clearTimeout(deferring);
    deferring = undefined;
    isDue = false;
  };

  /** Takes waiting calls, at least one. */
  const take = (sizeMax: number): Waiting<Item, Result>[] => {
    let [count, size] = [0, 0];
    for (const { item } of waiting) {
      if (count > 0 && size + sizeOf(item) > sizeMax) break;
      count += 1;
      size += sizeOf(item);
    }
    waitingSize -= size;
    const taken = waiting.splice(0, count);
    if (waiting.length === 0) {
      urgent?.removeEventListener('abort', start); // a signal may outlive many batches
      endDeferral();
    }
    return taken;
  };

  const settle = async (calls: readonly Waiting<Item, Result>[], admission?: Admission): Promise<void> => {
    try {
      const results = await run(
        calls.map(({ item }) => item),
        admission,
      );
      for (const [index, { resolve, reject }] of calls.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('run returned fewer results than items'));
        else resolve(result);
      }
    } catch (error) {
      const fault = failureScope(error);
      if (fault === 'item' && calls.length > 1) {
        await Promise.all(calls.map((one) => settle([one])));
        return;
      }
      if (fault === 'blocked' && calls.length > 1) {
        await oneByOne(calls, { settle: (one) => settle([one]), giveUp: ({ reject }) => reject(error) });
        return;
      }
      for (const { reject } of fault === 'all' ? [...calls, ...take(waitingSize)] : calls) reject(error);
    }
  };

  const settleNext = async (): Promise<void> => {
    const admission = admit && (await admit());
    const calls = take(Math.min(itemsMax, Math.max(itemsUsual, Math.ceil(waitingSize / runsMax))));
    if (calls.length > 0) await settle(calls, admission);
  };

  /** Whether the waiting calls wait for the runs in progress. */
  const isDeferred = (): boolean => {
    if (besideMs === 0 || runs === 0 || isDue || waitingSize >= itemsUsual) return false;
    deferring ??= setTimeout(() => {
      isDue = true;
      start();
    }, besideMs);
    return true;
  };

  const start = (): void => {
    if (urgent?.aborted === true) {
      while (waiting.length > 0) void settle(take(itemsMax));
    }
    if (runs >= runsMax || waiting.length === 0) return;
    if (lingering !== undefined && waitingSize < Math.min(lingerMax, itemsMax)) return;
    if (isDeferred()) return;
    clearTimeout(lingering);
    lingering = undefined;
    endDeferral();
    runs += 1;
    void settleNext().finally(() => {
      runs -= 1;
      start();
    });
  };

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      start();
    });
  };

  const linger = (): void => {
    clearTimeout(lingering);
    lingering = setTimeout(() => {
      lingering = undefined;
      start();
    }, lingerMs);
  };

  return (item) => {
    if (bound && waiting.length >= bound.waitingMax) return Promise.reject(bound.overflow());
    if (waiting.length === 0 && lingerMs > 0) linger();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    waitingSize += sizeOf(item);
    if (waiting.length === 1) urgent?.addEventListener('abort', start);
    schedule();
    return promise;
  };
};
