export type FailureScope = 'item' | 'batch' | 'all';

export interface BatchOptions {
  /** The most items that share one run. */
  readonly itemsMax: number;
  /** The most runs under way at once. */
  readonly runsMax: number;
  /** How long a first item waits for others to share its run; left out: not at all. */
  readonly lingerMs?: number;
  /**
   * Whom a failed run fails. `item`: one of its items alone may be the cause, and each is run by itself. `batch`: its
   * items. `all`: those that wait as well, because they would only wait as long and fail alike. Left out: `batch`.
   */
  readonly failureScope?: (error: unknown) => FailureScope;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Turns a function of many items into a function of one: what is called while runs are under way shares the next one,
 * and each caller gets its own result. A lone call goes at once, or after `lingerMs`. `run` gives one result per item, in their order.
 */
export const batch = <Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { itemsMax, runsMax, lingerMs = 0, failureScope = () => 'batch' }: BatchOptions,
): ((item: Item) => Promise<Result>) => {
  const waiting: Waiting<Item, Result>[] = [];
  let runs = 0;
  let lingering: NodeJS.Timeout | undefined;

  const settle = async (calls: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(calls.map(({ item }) => item));
      for (const [index, { resolve, reject }] of calls.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('a run gave fewer results than it got items'));
        else resolve(result);
      }
    } catch (error) {
      const fault = failureScope(error);
      if (fault === 'item' && calls.length > 1) {
        await Promise.all(calls.map((one) => settle([one])));
        return;
      }
      for (const { reject } of fault === 'all' ? [...calls, ...waiting.splice(0)] : calls) reject(error);
    }
  };

  const start = (): void => {
    if (runs >= runsMax || waiting.length === 0) return;
    if (lingering !== undefined && waiting.length < itemsMax) return;
    clearTimeout(lingering);
    lingering = undefined;
    runs += 1;
    void settle(waiting.splice(0, itemsMax)).finally(() => {
      runs -= 1;
      start();
    });
  };

  const linger = (): void => {
    lingering = setTimeout(() => {
      lingering = undefined;
      start();
    }, lingerMs);
  };

  return (item) => {
    if (waiting.length === 0 && lingerMs > 0) linger();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    start();
    return promise;
  };
};
