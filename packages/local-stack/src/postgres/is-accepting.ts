import { readFileSync } from 'node:fs';

/** Whether the pid file of the server reports that it accepts connections. */
export const isAccepting = (pidFile: string, pid: number): boolean => {
  try {
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
};
