/** `known`: in a browser in which this person has signed in before. `beyond`: from a network with too many wrong attempts. */
export type Importance = 'known' | 'usual' | 'beyond';

export interface PasswordQueue {
  /** Runs the work in its turn; if too many wait for theirs, `refuse` throws instead. */
  readonly run: <Result>(importance: Importance, work: () => Promise<Result>, refuse: () => never) => Promise<Result>;
}

// a password takes 40 ms of one of Node's four threads, and 19 MiB
const atOnce = 2;
// how many may wait before one of this importance is refused: strangers leave room for others
const waitingMax: Readonly<Record<Importance, number>> = { known: 200, usual: 50, beyond: 5 };
const order: readonly Importance[] = ['known', 'usual', 'beyond'];

/** Checks of passwords, most important first. A caller that sends many delays others by the checks in progress alone. */
export const passwordQueue = (): PasswordQueue => {
  const waiting: Record<Importance, (() => void)[]> = { known: [], usual: [], beyond: [] };
  let running = 0;

  const startNext = (): void => {
    const next = order.map((importance) => waiting[importance]).find((queue) => queue.length > 0);
    if (running >= atOnce || !next) return;
    running += 1;
    next.shift()?.();
  };

  return {
    async run(importance, work, refuse) {
      const queue = waiting[importance];
      if (running >= atOnce && queue.length >= waitingMax[importance]) refuse();
      await new Promise<void>((resolve) => {
        queue.push(resolve);
        startNext();
      });
      try {
        return await work();
      } finally {
        running -= 1;
        startNext();
      }
    },
  };
};
