export type FailureScope = 'item' | 'blocked' | 'batch' | 'all';

interface BatchBound {
  /** How many calls may wait for a run. */
  readonly waitingMax: number;
  /** What further calls reject with, at once. */
  readonly overflow: () => Error;
}

interface BatchOptions<Item, Admission = void> {
  /** The maximum number of items per run. */
  readonly itemsMax: number;
  /**
   * How many items a run takes, and how many wait for no run in progress, while at most `runsMax` times as many wait. With
   * more, each run takes its share of them, up to `itemsMax`. Default: `itemsMax`.
   */
  readonly itemsUsual?: number;
  /** How many an item counts for; one that counts for more than `itemsMax` runs alone. Default: 1. */
  readonly sizeOf?: (item: Item) => number;
  /** The maximum number of concurrent runs. */
  readonly runsMax: number;
  /** Default: any number of calls may wait. */
  readonly bound?: BatchBound;
  /** How long items that do not fill a run wait for those in progress, to share the next one. Default: not at all. */
  readonly besideMs?: number;
  /** How long the first item waits for others to share its run. Default: not at all. */
  readonly lingerMs?: number;
  /** Items of this size together wait for no others. Default: `itemsMax`. */
  readonly lingerMax?: number;
  /**
   * Awaited before the items of a run are taken, so that those that arrive meanwhile share it. Its result is passed to
   * the run. Must not throw.
   */
  readonly admit?: () => Promise<Admission | undefined>;
  /** Once aborted, waiting and further calls run at once: they wait for no admission and no other run. */
  readonly urgent?: AbortSignal | undefined;
  /**
   * What a failed run rejects. `item`: only the failing items, found by running each by itself. `blocked`: the same, for
   * 1.5 s; items that have not been tried by then fail as their run did. `batch`: all items of the run. `all`: the waiting items as well, because they would fail alike. Default: `batch`.
   */
  readonly failureScope?: (error: unknown) => FailureScope;
}

interface OneByOne<Call> {
  /** Must not throw. */
  readonly settle: (call: Call) => Promise<void>;
  /** For each call that was not started in time. */
  readonly giveUp: (call: Call) => void;
}

// a part of the connections of a pool, so that others are served while all of these are blocked
const atOnce = 5;
// with the run that failed before and the last ones started, less than callers wait for a response
const startedWithinMs = 1_500;

/** Settles calls some at a time, so that a few that are blocked do not delay the others. */
export const oneByOne = async <Call>(calls: readonly Call[], { settle, giveUp }: OneByOne<Call>): Promise<void> => {
  const until = performance.now() + startedWithinMs;
  const left = calls.values();
  const work = async () => {
    for (const call of left) {
      if (performance.now() < until) await settle(call);
      else giveUp(call);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};

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
