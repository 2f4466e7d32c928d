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
