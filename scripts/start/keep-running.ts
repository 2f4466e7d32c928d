import { setTimeout as pause } from 'node:timers/promises';

/** Something that runs and may end: an app or a server. */
export interface Runs extends AsyncDisposable {
  readonly pid: number;
  readonly exited: Promise<unknown>;
}

export interface Keeping<Kept extends Runs> {
  readonly name: string;
  readonly running: Kept;
  readonly startAgain: () => Promise<Kept>;
  /** Called with the process id of every new one. */
  readonly onStartedAgain: (pid: number) => void;
  readonly say: (text: string) => void;
}

const pauseMinMs = 500;
const pauseMaxMs = 10_000;

/** Does what a platform does for a service that has died: starts it again. Disposing ends it for good. */
export const keepRunning = <Kept extends Runs>(keeping: Keeping<Kept>): AsyncDisposable => {
  const { name, startAgain, onStartedAgain, say } = keeping;
  const stopping = new AbortController();
  let { running } = keeping;
  let startingAgain: Promise<void> | undefined;

  const untilItRuns = async (pauseMs: number): Promise<void> => {
    await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    if (stopping.signal.aborted) return;
    try {
      running = await startAgain();
    } catch (error) {
      say(`${name} does not start: ${error instanceof Error ? error.message : String(error)}`);
      await untilItRuns(Math.min(pauseMaxMs, pauseMs * 2));
      return;
    }
    if (stopping.signal.aborted) return;
    onStartedAgain(running.pid);
    say(`${name} runs again (process ${running.pid})`);
  };

  const keep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await running.exited;
      if (stopping.signal.aborted) return;
      say(`${name} has ended; starting it again`);
      startingAgain = untilItRuns(pauseMinMs);
      await startingAgain;
    }
  };

  const kept = keep();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      // one that is just being started again cannot be ended before it runs
      await startingAgain;
      await running[Symbol.asyncDispose]();
      await kept;
    },
  };
};
