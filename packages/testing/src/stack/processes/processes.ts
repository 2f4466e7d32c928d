import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { execFileSync, execFile, spawn } from 'node:child_process';
import { readFileSync, rmSync, chmodSync, existsSync, globSync, mkdirSync, closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { once } from 'node:events';
import { z } from 'zod';
import { writePrivately, privately } from '../private-files.ts';

const lastResorts = new Set<() => void>();

process.on('exit', () => {
  // last started, first ended: an Erlang node without its port mapper starts another one
  for (const act of [...lastResorts].toReversed()) act();
});

// without a listener a signal ends the process without an 'exit' event; other listeners end it themselves
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  });
}

/** Calls `act` when this process exits. Returns a function that cancels it. */
export const atExit = (act: () => void): (() => void) => {
  lastResorts.add(act);
  return () => lastResorts.delete(act);
};

const pauseMs = 50;

/** Waits until the condition holds; returns false after `timeoutMs`. */
export const until = async (condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> => {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await pause(pauseMs);
  }
  return true;
};

const read = (pid: number) =>
  process.platform === 'linux'
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    : execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });

/** The command line of a running process; empty if it does not exist or is a zombie. */
export const commandLine = (pid: number): string => {
  try {
    return read(pid).trim();
  } catch {
    return '';
  }
};

/** A negative id names a process group. Does nothing if the process has ended. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // already ended
  }
};

const endMaxMs = 10_000;

const linesOf = (file: string) => {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
};

const isTaken = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * Ends the server that a killed run left behind. The pid file has the format of PostgreSQL's: the process id, and on the
 * second line a part of its command line, because another process may have the same id by now; `folder` is another part.
 */
export const endLeftOver = async (pidFile: string, signal: NodeJS.Signals, folder = ''): Promise<void> => {
  const [pid, mark] = linesOf(pidFile);
  if (!pid || !mark) return;
  const isOurs = () => [mark, folder].every((part) => commandLine(Number(pid)).includes(part));

  if (isOurs()) sendSignal(Number(pid), signal);
  const isGone = await until(() => !isOurs(), endMaxMs);
  if (!isGone) sendSignal(Number(pid), 'SIGKILL');
  await until(() => !isOurs(), endMaxMs);

  // by another process or a zombie: PostgreSQL would take it for its own server and not start
  if (isTaken(Number(pid))) rmSync(pidFile, { force: true });
};

const ownerSchema = z.object({ pid: z.number(), command: z.string() });

const ownerFile = (dir: string) => join(dir, 'owner.json');

const ownerOf = (dir: string) => {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(ownerFile(dir), 'utf8')));
  } catch {
    return undefined; // no owner, or an incomplete write
  }
};

/**
 * Claims the folder for this process, creates it if missing, and keeps other users out. Throws if another running process
 * has claimed it, because that process still needs the server there.
 */
export const claimFolder = (dir: string): void => {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  chmodSync(dir, 0o700);
  const owner = ownerOf(dir);
  if (owner && owner.pid !== process.pid && commandLine(owner.pid) === owner.command) {
    throw new Error(`${dir} is in use by process ${owner.pid}; stop that process first`);
  }
  writePrivately(ownerFile(dir), JSON.stringify({ pid: process.pid, command: commandLine(process.pid) }));
};

/** Does nothing if another process has claimed the folder. */
export const releaseFolder = (dir: string): void => {
  if (ownerOf(dir)?.pid === process.pid) rmSync(ownerFile(dir));
};

const postgresPid = 'data/postmaster.pid';
// the nodes of a cluster have a folder each
const pidFiles = ['node.pid', '*/node.pid', 'epmd.pid'];

/** Deletes the folder of a server; first ends the server if a killed run left it running. */
export const forgetServer = async (dir: string): Promise<void> => {
  if (!existsSync(dir)) return;
  claimFolder(dir);
  await endLeftOver(join(dir, postgresPid), 'SIGTERM', dir);
  for (const pidFile of globSync(pidFiles, { cwd: dir })) await endLeftOver(join(dir, pidFile), 'SIGTERM');
  rmSync(dir, { recursive: true, force: true });
};

const inheritedNames = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/** The only variables that a child process inherits. */
export const inheritedEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    inheritedNames.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const run = promisify(execFile);

/** Returns the standard output of a command. Throws with its standard error if it fails. */
export const runCommand = async (
  [file, ...args]: readonly [file: string, ...args: string[]],
  options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<string> => {
  const { stdout } = await run(file, args, { ...options, maxBuffer: Number.POSITIVE_INFINITY });
  return stdout;
};

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
