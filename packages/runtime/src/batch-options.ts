export type FailureScope = 'item' | 'blocked' | 'batch' | 'all';

interface BatchBound {
  /** How many calls may wait for a run. */
  readonly waitingMax: number;
  /** What further calls reject with, at once. */
  readonly overflow: () => Error;
}

export interface BatchOptions<Item, Admission = void> {
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
