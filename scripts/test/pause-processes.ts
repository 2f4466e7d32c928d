import { setTimeout as wait } from 'node:timers/promises';
import { atExit, sendSignal } from '@leadback/local-stack';
import { descendantsOf } from '../process-tree.ts';

const atOnce = 4;
const pausedMs = { mean: 250, max: 1_500 };
const betweenMs = { mean: 60, max: 500 };

/** Mostly short, now and then long. */
const randomMs = ({ mean, max }: { readonly mean: number; readonly max: number }) =>
  Math.min(-mean * Math.log(1 - Math.random()), max);

const oneOf = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];

/** Programs have equal chances: there are many sessions of PostgreSQL for each app. One that a test has stopped is not taken. */
const choose = (root: number): number | undefined => {
  const running = descendantsOf(root).filter(({ isStopped }) => !isStopped);
  const ofPrograms = [...Map.groupBy(running, ({ name }) => name).values()];
  return oneOf(oneOf(ofPrograms) ?? [])?.pid;
};

/**
 * Pauses processes below one of them at random, each for at most 1.5 s, as a machine does that has too much to do: others
 * overtake them in orders that are rare otherwise. Dispose to end it; no process is left paused.
 */
export const pauseProcesses = (root: number): AsyncDisposable => {
  const over = new AbortController();
  const paused = new Set<number>();
  const resume = (pid: number): void => {
    sendSignal(pid, 'SIGCONT');
    paused.delete(pid);
  };
  const cancel = atExit(() => paused.forEach(resume));
  const sleep = (ms: number) => wait(ms, undefined, { signal: over.signal }).catch(() => {});
  const pauseSome = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const pid = choose(root);
      if (pid !== undefined) {
        paused.add(pid);
        sendSignal(pid, 'SIGSTOP');
        await sleep(randomMs(pausedMs));
        resume(pid);
      }
      await sleep(randomMs(betweenMs));
    }
  };
  const pausing = Array.from({ length: atOnce }, pauseSome);
  return {
    async [Symbol.asyncDispose]() {
      over.abort();
      await Promise.all(pausing);
      cancel();
    },
  };
};
