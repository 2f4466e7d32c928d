import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { privately } from '../private-files.ts';
import { atExit } from './at-exit.ts';
import { sendSignal } from './process-table.ts';
import { until } from './until.ts';

export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** How it ended, such as `status 1` or `SIGKILL`; undefined while it runs. */
  readonly ending: string | undefined;
  readonly exited: Promise<string>;
  /** Sends the signal and waits until the process has ended; kills it after 10 s. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const endMaxMs = 10_000;

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
 * that drain into them. Kills the process if it still runs when this process exits. What it writes is for this user alone.
 */
export const startChild = async ({ name, command, env, cwd, logFile, tied = false }: ChildOptions): Promise<Child> => {
  const [file, ...args] = command;
  const child = privately(() => {
    const output = openSync(logFile, 'a');
    const stdio = ['ignore', output, output, tied ? 'ipc' : 'ignore'] as const;
    try {
      return spawn(file, args, { cwd, env: env ?? process.env, detached: true, stdio: [...stdio] });
    } finally {
      closeSync(output);
    }
  });

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
      const killTimer = setTimeout(killGroup, endMaxMs);
      await exited;
      clearTimeout(killTimer);
    },
  };
};

const linesShown = 20;

const lastLines = (file: string): string =>
  readFileSync(file, 'utf8').trimEnd().split('\n').slice(-linesShown).join('\n');

/** Throws with the last log lines if the child ends before it is ready or takes too long. */
export const whenReady = async (
  child: Child,
  isReady: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<void> => {
  const settled = await until(async () => child.ending !== undefined || (await isReady()), timeoutMs);
  if (settled && child.ending === undefined) return;

  const what = child.ending
    ? `ended (${child.ending}) before it was ready`
    : `was not ready after ${timeoutMs / 1_000} s`;
  await child.end('SIGKILL');
  throw new Error(`${child.name} ${what}. It wrote to ${child.logFile}:\n${lastLines(child.logFile)}`);
};
