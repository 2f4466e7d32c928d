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
 * Ends the server that a killed run left behind. Takes a pid file in the form of PostgreSQL's: the process id, and on
 * the second line something by which its command line is told from that of a stranger who got the same id since.
 */
export const endLeftOver = async (pidFile: string, signal: NodeJS.Signals): Promise<void> => {
  const [pid, mark] = linesOf(pidFile);
  if (!pid || !mark) return;
  const isOurs = () => commandLine(Number(pid)).includes(mark);

  if (isOurs()) sendSignal(Number(pid), signal);
  const isGone = await until(() => !isOurs(), timeoutMs);
  if (!isGone) sendSignal(Number(pid), 'SIGKILL');
  await until(() => !isOurs(), timeoutMs);

  // by a stranger, or by a zombie that nobody reaps: PostgreSQL would take either for its own server, and not start
  if (isTaken(Number(pid))) rmSync(pidFile, { force: true });
};
