import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the benchmark itself: the load generator, or something to compare with. */
export interface BenchProcess extends AsyncDisposable {
  readonly pid: number;
  /** Sends a message and returns the response to it. One at a time. Throws if the process ends before. */
  readonly ask: (message: unknown) => Promise<unknown>;
}

/** Starts a script that uses `respond`. It ends with this process. */
export const startBenchProcess = (script: URL, env: Readonly<Record<string, string>> = {}): BenchProcess => {
  const child = fork(script, {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    execArgv: [], // not those of this process, which end it with its own starter
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const ended = once(child, 'exit');
  const failed = ended.then((): never => {
    throw new Error(`${script.pathname} has ended`);
  });
  failed.catch(() => {}); // `ask` tells it
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot start ${script.pathname}`);
  return {
    pid,
    ask: async (message) => {
      const response = once(child, 'message');
      child.send(JSON.stringify(message));
      const [told]: unknown[] = await Promise.race([response, failed]);
      return told;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
};

/** In such a process: responds to each message. Ends the process if the handler throws. */
export const respond = (handler: (message: unknown) => Promise<unknown>): void => {
  process.once('disconnect', () => process.exit());
  process.on('message', (message: string) => {
    void handler(JSON.parse(message)).then((response) => process.send?.(response ?? null));
  });
};
