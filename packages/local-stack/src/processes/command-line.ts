import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

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
