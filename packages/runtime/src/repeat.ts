import { setTimeout as pause } from 'node:timers/promises';

export interface Repetition {
  readonly everyMs: number;
  /** Returns whether to start the next round at once. */
  readonly round: () => Promise<boolean>;
  readonly onFailure: (error: unknown) => void;
}

/** Runs rounds until disposed. After a failed round, it pauses as usual. */
export const repeat = ({ everyMs, round, onFailure }: Repetition): AsyncDisposable => {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const isMore = await round().catch((error: unknown) => {
        onFailure(error);
        return false;
      });
      if (!isMore) await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
};
