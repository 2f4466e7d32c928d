import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ask = (pid: number) =>
  process.platform === 'linux'
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    : execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });

/** The command line of a living process; empty when there is none with this id, or only a zombie. */
export const commandLine = (pid: number): string => {
  try {
    return ask(pid).trim();
  } catch {
    return '';
  }
};
