import { readFileSync, rmSync } from 'node:fs';
import { commandLine } from './command-line.ts';
import { sendSignal } from './send-signal.ts';
import { until } from './until.ts';

const timeoutMs = 10_000;

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
 * second line a part of its command line, because another process may have the same id by now.
 */
export const endLeftOver = async (pidFile: string, signal: NodeJS.Signals): Promise<void> => {
  const [pid, mark] = linesOf(pidFile);
  if (!pid || !mark) return;
  const isOurs = () => commandLine(Number(pid)).includes(mark);

  if (isOurs()) sendSignal(Number(pid), signal);
  const isGone = await until(() => !isOurs(), timeoutMs);
  if (!isGone) sendSignal(Number(pid), 'SIGKILL');
  await until(() => !isOurs(), timeoutMs);

  // by another process or a zombie: PostgreSQL would take it for its own server and not start
  if (isTaken(Number(pid))) rmSync(pidFile, { force: true });
};
