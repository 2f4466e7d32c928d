import { answersOk } from '../network.ts';
import { inheritedEnvironment, startChild, whenReady } from '../processes/processes.ts';

export interface LocalProcess extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  /** Resolves when the process has ended, with its status (`status 0`) or signal (`SIGKILL`). */
  readonly exited: Promise<string>;
  /** Sends SIGTERM, and SIGKILL after 10 s; resolves when the process has ended. */
  stop(): Promise<void>;
  /** Sends SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
}

// Ends the app when the process that started it is killed. Not a file of TypeScript: each start would load its compiler.
const preload = `data:text/javascript,${encodeURIComponent(
  "process.once('disconnect', () => process.exit(1)); process.channel?.unref();",
)}`;

interface ProcessOptions {
  readonly name: string;
  /** Relative to `cwd`. */
  readonly script: string;
  readonly args?: readonly string[];
  /** URLs of modules that are loaded before the script. */
  readonly imports?: readonly string[];
  /** Its whole environment, besides PATH, HOME and the like. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Output is appended to this file. */
  readonly logFile: string;
  /** Responds with 200 when the app is ready. */
  readonly readyUrl: string;
  readonly readyTimeoutMs?: number;
}

/**
 * Starts an app under this Node and waits until it is ready. It ends with this process, even if that is killed. Throws
 * with the last lines of its log if it ends before it is ready or takes too long, and if another process already responds
 * at `readyUrl`, which would be taken for this app.
 */
export const startProcess = async (options: ProcessOptions): Promise<LocalProcess> => {
  const { name, script, args = [], imports = [], env, cwd, logFile, readyUrl, readyTimeoutMs = 30_000 } = options;
  if (await answersOk(readyUrl)) throw new Error(`cannot start ${name}: another process responds at ${readyUrl}`);
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
