import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { until } from './until.ts';

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
