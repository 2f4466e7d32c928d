import { type Figures, medians } from './figures.ts';
import type { GoalResult } from './goal-result.ts';
import type { MeasuredPart } from './measure-part.ts';
import type { Target } from './part.ts';

const shown = (value: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return '';
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
};

const table = (rows: readonly (readonly string[])[]): string => {
  const [head = [], ...others] = rows;
  return [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

/** All labels once, in the order of each column. */
const labelsOf = (columns: readonly (readonly string[])[]): readonly string[] =>
  columns.reduce<string[]>((labels, column) => {
    let place = 0;
    for (const label of column) {
      const found = labels.indexOf(label);
      if (found < 0) labels.splice(place, 0, label);
      place = (found < 0 ? place : found) + 1;
    }
    return labels;
  }, []);

/** Medians: a column per measurement; if it was measured in another checkout too, the first divided by the second. */
export const tableOf = ({ does, measurements }: MeasuredPart): string => {
  const columns = Object.entries(measurements).map(([name, rounds]): [string, Figures] => [name, medians(rounds)]);
  const labels = labelsOf(columns.map(([, figures]) => Object.keys(figures)));
  const pairs = columns.flatMap(([name, ours]) => {
    const other = columns.find(([one]) => one.startsWith(`${name} (`));
    return other ? [[name, ours, other[1]] as const] : [];
  });
  const head = [does, ...columns.map(([name]) => name), ...pairs.map(([name]) => `${name}: ratio`)];
  const rows = labels.map((label) => [
    label,
    ...columns.map(([, figures]) => shown(figures[label])),
    ...pairs.map(([, ours, theirs]) => shown((ours[label] ?? Number.NaN) / (theirs[label] ?? Number.NaN))),
  ]);
  return table([head, ...rows]);
};

const targetOf = (target: Target): string => ('atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`);

const rowOf = ({ measurement, figure, beside, target, median, min, max, isMet }: GoalResult): string[] => {
  const what = figure === 'per second' ? measurement : `${measurement}: ${figure}`;
  const range = `${shown(median)} (${shown(min)} to ${shown(max)})`;
  return [what, beside ?? '', targetOf(target), range, isMet ? 'yes' : 'no'];
};

/** The targets: the median of what each round measured, with the lowest and the highest. */
export const goalsTable = (goals: readonly GoalResult[]): string =>
  table([['path', 'beside', 'target', 'measured', 'met'], ...goals.map(rowOf)]);
