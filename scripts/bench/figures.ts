/** What a measurement found, in the order in which it is printed: `CPU µs: api` → 301. */
export type Figures = Readonly<Record<string, number>>;

export const quantile = (values: readonly number[], share: number): number =>
  Float64Array.from(values).toSorted()[Math.floor(values.length * share)] ?? Number.NaN;

export const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
};

/** The median of each figure that all rounds have. */
export const medians = (rounds: readonly Figures[]): Figures => {
  const [first = {}] = rounds;
  return Object.fromEntries(
    Object.keys(first).map((name) => [name, medianOf(rounds.map((figures) => figures[name] ?? Number.NaN))]),
  );
};
