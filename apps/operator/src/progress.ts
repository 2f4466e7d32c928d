import type { Terminal } from './read-secrets.ts';

const everyMs = 5_000;

/** Returns a function that writes to standard error, at most one line per five seconds; it drops the others. */
export const progressLine = (stderr: Terminal['stderr']): ((line: string) => void) => {
  let saidAt = performance.now();
  return (line) => {
    if (performance.now() - saidAt < everyMs) return;
    saidAt = performance.now();
    stderr.write(`${line}\n`);
  };
};

const width = 30;

/** Shows how much of a long piece of work is done. */
export type ProgressBar = (done: number, total: number, what: string) => void;

interface BarOptions {
  readonly terminal: Pick<Terminal['stderr'], 'isTTY' | 'write'>;
  /** For output that is no terminal. */
  readonly line: (line: string) => void;
}

/** Returns a function that redraws one line on a terminal and ends it at 100 %. Elsewhere it writes lines. */
export const progressBar = ({ terminal, line }: BarOptions): ProgressBar => {
  let isOpen = false;
  return (done, total, what) => {
    const share = total === 0 ? 1 : Math.min(done / total, 1);
    const counts = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${what}`;
    if (!terminal.isTTY) return line(counts);
    if (share === 1 && !isOpen) return;
    const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '-');
    isOpen = share < 1;
    terminal.write(`\r[${bar}] ${Math.floor(share * 100)} %, ${counts}\u001B[K${isOpen ? '' : '\n'}`);
  };
};
