import { setTimeout as pause } from 'node:timers/promises';

/** A running app or server. */
export interface Runs extends AsyncDisposable {
  readonly pid: number;
  readonly exited: Promise<unknown>;
}

export interface Keeping<Kept extends Runs> {
  readonly name: string;
  readonly running: Kept;
  readonly startAgain: () => Promise<Kept>;
  /** Called with the process id of each new process. */
  readonly onStartedAgain: (pid: number) => void;
  readonly say: (text: string) => void;
}

const pauseMinMs = 500;
const pauseMaxMs = 10_000;

/** Restarts a process that ends, after 0.5 s to 10 s. Disposing stops it for good. */
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
      say(`cannot restart ${name}: ${error instanceof Error ? error.message : String(error)}`);
      await untilItRuns(Math.min(pauseMaxMs, pauseMs * 2));
      return;
    }
    if (stopping.signal.aborted) return;
    onStartedAgain(running.pid);
    say(`restarted ${name} (process ${running.pid})`);
  };

  const keep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await running.exited;
      if (stopping.signal.aborted) return;
      say(`${name} ended unexpectedly; restarting it`);
      startingAgain = untilItRuns(pauseMinMs);
      await startingAgain;
    }
  };

  const kept = keep();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      // a process that is being restarted can only be stopped once it runs
      await startingAgain;
      await running[Symbol.asyncDispose]();
      await kept;
    },
  };
};
