import { repeat } from '@leadback/runtime';

/** Knows whether the database is there, so that no visitor waits to find out that it is not. */
export interface DatabaseWatch extends AsyncDisposable {
  isUp(): boolean;
  /** Somebody has just found it away; nobody tries again before the next round. */
  lost(reason: unknown): void;
  /** Resolves once it is there; rejects when the watch ends first. */
  untilUp(): Promise<void>;
}

export interface WatchOptions {
  /** What is done every second while the database is there. Throws where it is not. */
  readonly round: () => Promise<void>;
  readonly onUp: () => void;
  readonly onDown: (reason: unknown) => void;
}

const everyMs = 1_000;

/** Watches the database: it is there when a round has just passed. */
export const databaseWatch = ({ round, onUp, onDown }: WatchOptions): DatabaseWatch => {
  let isUp = false;
  let up = Promise.withResolvers<void>();

  const lost = (reason: unknown): void => {
    if (!isUp) return;
    isUp = false;
    up = Promise.withResolvers();
    onDown(reason);
  };

  const running = repeat({
    everyMs,
    round: async () => {
      await round();
      if (!isUp) onUp();
      isUp = true;
      up.resolve();
      return false;
    },
    onFailure: lost,
  });

  return {
    isUp: () => isUp,
    lost,
    untilUp: () => up.promise,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      if (isUp) {
        isUp = false;
        up = Promise.withResolvers();
      }
      up.promise.catch(() => {}); // there may be nobody left to tell
      up.reject(new Error('the watch has ended'));
    },
  };
};
