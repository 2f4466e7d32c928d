import { repeat } from '@leadback/server/app';

/** Tells whether PostgreSQL is available, so that no visitor waits for a timeout. */
export interface DatabaseWatch extends AsyncDisposable {
  isUp(): boolean;
  /** Reports a failure: PostgreSQL counts as unavailable until the next round succeeds. */
  lost(reason: unknown): void;
}

interface WatchOptions {
  /** Runs twice a second. Must throw if PostgreSQL is unavailable. */
  readonly round: () => Promise<void>;
  readonly onUp: () => void;
  readonly onDown: (reason: unknown) => void;
}

const everyMs = 500;

/** PostgreSQL counts as available from a successful round until a failed one or a call of `lost`. */
export const databaseWatch = ({ round, onUp, onDown }: WatchOptions): DatabaseWatch => {
  // unknown at first
  let isUp: boolean | undefined;

  const lost = (reason: unknown): void => {
    if (isUp !== false) onDown(reason);
    isUp = false;
  };
  const running = repeat({
    everyMs,
    round: async () => {
      await round();
      if (!isUp) onUp();
      isUp = true;
      return false;
    },
    onFailure: lost,
  });

  return { isUp: () => isUp === true, lost, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
};

/** PostgreSQL's clock, also while PostgreSQL is unavailable: the clock of this machine, corrected. */
export interface DatabaseClock {
  /** In milliseconds since 1970. Before the first correction, the time of this machine. */
  readonly nowMs: () => number;
  /** Makes a request that returns PostgreSQL's time, and corrects the clock by it. */
  readonly correctBy: (readTime: () => Promise<Date>) => Promise<Date>;
}

/**
 * PostgreSQL has read its clock between request and response, so this one is exact to the time that they take. It is
 * corrected no further than that: that of a machine with the right time, not at all.
 */
export const databaseClock = (): DatabaseClock => {
  let aheadMs = 0;
  return {
    nowMs: () => Date.now() + aheadMs,
    async correctBy(readTime) {
      const sentMs = Date.now();
      const time = await readTime();
      const receivedMs = Date.now();
      aheadMs = Math.min(Math.max(aheadMs, time.getTime() - receivedMs), time.getTime() - sentMs);
      return time;
    },
  };
};
