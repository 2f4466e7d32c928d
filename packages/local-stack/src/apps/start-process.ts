import { answersOk } from '../network/answers-ok.ts';
import { inheritedEnvironment } from '../processes/inherited-environment.ts';
import { startChild } from '../processes/start-child.ts';
import { whenReady } from '../processes/when-ready.ts';
import type { LocalProcess } from './local-process.ts';

const preload = new URL('./end-with-starter.ts', import.meta.url).href;

interface ProcessOptions {
  readonly name: string;
  /** What node is to run, seen from `cwd`. */
  readonly script: string;
  readonly args?: readonly string[];
  /** Addresses of modules that it loads before the script. */
  readonly imports?: readonly string[];
  /** All that it is told of its surroundings, besides PATH, HOME and the like. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What it writes is appended to this file. */
  readonly logFile: string;
  /** Answers 200 once the app can serve. */
  readonly readyUrl: string;
  readonly readyTimeoutMs?: number;
}

/**
 * Starts one of our apps under this same Node and waits until it can serve. It ends with this process, even where that
 * is killed. One that ends before it is ready, or takes too long, is an error that shows the last lines of its log.
 */
export const startProcess = async (options: ProcessOptions): Promise<LocalProcess> => {
  const { name, script, args = [], imports = [], env, cwd, logFile, readyUrl, readyTimeoutMs = 30_000 } = options;
  const preloads = [preload, ...imports].flatMap((module) => ['--import', module]);
  const child = await startChild({
    name,
    command: [process.execPath, ...preloads, script, ...args],
    env: { ...inheritedEnvironment(), ...env },
    cwd,
    logFile,
    tied: true,
  });
  await whenReady(child, () => answersOk(readyUrl), readyTimeoutMs);

  const stop = () => child.end('SIGTERM');
  return {
    name,
    pid: child.pid,
    exited: child.exited,
    stop,
    kill: () => child.end('SIGKILL'),
    [Symbol.asyncDispose]: stop,
  };
};
