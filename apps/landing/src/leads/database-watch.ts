import { repeat } from '@leadback/runtime';

/** Tells whether PostgreSQL is available, so that no visitor waits for a timeout. */
export interface DatabaseWatch extends AsyncDisposable {
  isUp(): boolean;
  /** Reports a failure: PostgreSQL counts as unavailable until the next round succeeds. */
  lost(reason: unknown): void;
}

export interface WatchOptions {
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
