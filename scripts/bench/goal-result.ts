import { type Figures, medianOf } from './figures.ts';
import type { Goal, Target } from './part.ts';

export interface GoalResult extends Goal {
  /** The figure, or the ratio, of each round. */
  readonly values: readonly number[];
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly isMet: boolean;
}

const meets = (value: number, target: Target): boolean =>
  'atLeast' in target ? value >= target.atLeast : value <= target.atMost;

/** Compares within each round, because rounds differ more than what is compared: neighbours on the machine come and go. */
export const goalResult = (goal: Goal, measurements: Readonly<Record<string, readonly Figures[]>>): GoalResult => {
  const { measurement, figure, beside, target } = goal;
  const valuesOf = (name: string) => (measurements[name] ?? []).map((figures) => figures[figure] ?? Number.NaN);
  const others = beside === undefined ? undefined : valuesOf(beside);
  const values = valuesOf(measurement).map((value, round) => (others ? value / (others[round] ?? Number.NaN) : value));
  const median = medianOf(values);
  return { ...goal, values, median, min: Math.min(...values), max: Math.max(...values), isMet: meets(median, target) };
};
