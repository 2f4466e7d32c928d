/** The result of a part of `npm test`. */
export interface Tally {
  readonly name: string;
  readonly seconds: number;
  /** how many checks or tests */
  readonly passed: number;
  /** a line for each check or test that did not pass */
  readonly failures: readonly string[];
}

/** `start`: of `performance.now()`. */
export const secondsSince = (start: number): number => (performance.now() - start) / 1000;

/** The closing lines of `npm test`: what failed, how long each part took, and the totals, which CI reads from the last line. */
export const closingLines = (tallies: readonly Tally[]): readonly string[] => {
  const failures = tallies.flatMap((tally) => tally.failures);
  const sum = (of: (tally: Tally) => number) => tallies.reduce((total, tally) => total + of(tally), 0);
  return [
    ...failures.map((failure) => `✗ ${failure}`),
    ...tallies.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`),
    `${sum(({ seconds }) => seconds).toFixed(1)} s`,
    `${sum(({ passed }) => passed)} passed, ${failures.length} failed`,
  ];
};
