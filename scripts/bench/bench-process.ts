import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the benchmark itself: the load generator, or something to compare with. */
export interface BenchProcess extends AsyncDisposable {
  readonly pid: number;
  /** Sends a message and returns the response to it. One at a time. Throws if the process ends before. */
  readonly ask: (message: unknown) => Promise<unknown>;
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

/** Starts a script that uses `respond`. It ends with this process. */
export const startBenchProcess = (script: URL, env: Readonly<Record<string, string>> = {}): BenchProcess => {
  const child = fork(script, {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    execArgv: [], // not those of this process, which end it with its own starter
    stdio: ['ignore', 2, 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot start ${script.pathname}`);
  return {
    pid,
    ask: (message) =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error(`${script.pathname} has ended:\n${errors}`));
        if (!child.connected) return ended();
        child.once('close', ended);
        child.once('message', (response: unknown) => {
          child.off('close', ended);
          resolve(response);
        });
        child.send(JSON.stringify(message));
      }),
    [Symbol.asyncDispose]: () => end(child),
  };
};

/** In such a process: responds to each message. Ends the process if the handler throws. */
export const respond = (handler: (message: unknown) => Promise<unknown>): void => {
  process.once('disconnect', () => process.exit());
  process.on('message', (message: string) => {
    void handler(JSON.parse(message)).then((response) => process.send?.(response ?? null));
  });
};
