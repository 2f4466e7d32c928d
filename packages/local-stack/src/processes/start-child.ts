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
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Output is appended to this file. */
  readonly logFile: string;
  /** Opens an IPC channel, which closes when this process ends. */
  readonly tied?: boolean;
}

/**
 * Starts a process in its own group: Ctrl-C reaches the whole foreground group at once, but servers must outlive the apps
 * that drain into them. Kills the process if it still runs when this process exits.
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
    throw new Error(`cannot start ${name} with ${file}`, { cause });
  }

  const killGroup = () => sendSignal(-pid, 'SIGKILL');
  const cancelKill = atExit(killGroup);
  let ending: string | undefined;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (status, signal) => {
      ending = signal ?? `status ${status}`;
      cancelKill();
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
      const killTimer = setTimeout(killGroup, timeoutMs);
      await exited;
      clearTimeout(killTimer);
    },
  };
};
