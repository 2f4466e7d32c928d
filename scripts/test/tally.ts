/** The result of a part of `npm test`. */
export interface Tally {
  readonly name: string;
  readonly seconds: number;
  /** how many checks or tests */
  readonly passed: number;
  /** a name and a message for each check or test that did not pass */
  readonly failures: readonly string[];
}

/** `start`: of `performance.now()`. */
export const secondsSince = (start: number): number => (performance.now() - start) / 1000;

/**
 * The closing lines of `npm test`: what failed, how long each part and all of it took, and the totals, which CI reads from the
 * last line.
 */
export const closingLines = (tallies: readonly Tally[], seconds: number): readonly string[] => {
  const failures = tallies.flatMap((tally) => tally.failures);
  const passed = tallies.reduce((total, tally) => total + tally.passed, 0);
  return [
    ...failures.map((failure) => `✗ ${failure}`),
    ...tallies.map((part) => `${part.seconds.toFixed(1).padStart(8)} s  ${part.name}`),
    `${seconds.toFixed(1)} s`,
    `${passed} passed, ${failures.length} failed`,
  ];
};
