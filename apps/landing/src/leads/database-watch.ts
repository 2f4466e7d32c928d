import { repeat } from '@leadback/runtime';

/** Knows whether the database is there, so that no visitor waits to find out that it is not. */
export interface DatabaseWatch extends AsyncDisposable {
  isUp(): boolean;
  /** Somebody has just found it away; nobody tries again before the next round. */
  lost(reason: unknown): void;
}

export interface WatchOptions {
  /** What is done twice a second while the database is there. Throws where it is not. */
  readonly round: () => Promise<void>;
  readonly onUp: () => void;
  readonly onDown: (reason: unknown) => void;
}

const everyMs = 500;

/** Watches the database: it is there when a round has passed and nobody has found it away since. */
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
