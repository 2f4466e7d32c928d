import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { atExit } from './at-exit.ts';
import type { Child } from './child.ts';
import { sendSignal } from './send-signal.ts';

const timeoutMs = 10_000;

interface ChildOptions {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  /** All of ours where it is left out. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Everything that the process writes is appended to it. */
  readonly logFile: string;
  /** Whether it gets an IPC channel, by which it notices when this process is gone. */
  readonly tied?: boolean;
}

/**
 * Starts a process, in a group of its own: Ctrl-C in a terminal reaches the whole foreground group at once, and servers
 * have to outlive the apps that drain into them. What still runs when this process exits is killed.
 */
export const startChild = async ({ name, command, env, cwd, logFile, tied = false }: ChildOptions): Promise<Child> => {
  const [file, ...args] = command;
  const output = openSync(logFile, 'a');
  const child = spawn(file, args, {
    cwd,
    env: env ?? process.env,
    detached: true,
    stdio: ['ignore', output, output, tied ? 'ipc' : 'ignore'],
  });
  closeSync(output);

  const { pid } = child;
  if (pid === undefined) {
    const [cause] = await once(child, 'error');
    throw new Error(`${name} cannot be started with ${file}`, { cause });
  }

  const killGroup = () => sendSignal(-pid, 'SIGKILL');
  const callOff = atExit(killGroup);
  let ending: string | undefined;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (status, signal) => {
      ending = signal ?? `status ${status}`;
      callOff();
      resolve(ending);
    });
  });

  return {
    name,
    pid,
    logFile,
    exited,
    get ending() {
      return ending;
    },
    end: async (signal) => {
      if (ending === undefined) sendSignal(pid, signal);
      const outOfPatience = setTimeout(killGroup, timeoutMs);
      await exited;
      clearTimeout(outOfPatience);
    },
  };
};
