const hasAllFaults = process.env['FAULTS'] === 'all';

/** Variants of a fault: in `npm test` the first ones, or none, in `npm run test:long` all. */
export const firstOf = <Variant>(count: number, variants: readonly Variant[]): readonly Variant[] =>
  hasAllFaults ? variants : variants.slice(0, count);

/** An amount that is enough to hit work in progress, which is what `npm test` needs, and the one of `npm run test:long`. */
export const enough = (few: number, many: number): number => (hasAllFaults ? many : few);

/** Prints a figure that a fault test has seen. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** How long ago a time of `performance.now()` was, such as `1.5 s`. */
export const since = (start: number): string => `${((performance.now() - start) / 1_000).toFixed(1)} s`;

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
