/** Prints a figure that a fault test has seen. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** How long ago a time of `performance.now()` was, such as `1.5 s`. */
export const since = (start: number): string => `${((performance.now() - start) / 1_000).toFixed(1)} s`;
