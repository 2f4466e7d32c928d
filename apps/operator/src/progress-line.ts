const everyMs = 5_000;

/** Gives a function that writes a line on standard error, and leaves those out that come within five seconds of another. */
export const progressLine = (): ((line: string) => void) => {
  let saidAt = performance.now();
  return (line) => {
    if (performance.now() - saidAt < everyMs) return;
    saidAt = performance.now();
    process.stderr.write(`${line}\n`);
  };
};
