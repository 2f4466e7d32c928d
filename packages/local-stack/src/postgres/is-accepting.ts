import { readFileSync } from 'node:fs';

/** Whether the server with this process id says in its pid file that it takes connections. */
export const isAccepting = (pidFile: string, pid: number): boolean => {
  try {
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
};
