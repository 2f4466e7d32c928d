/** What a part measured, in the order in which it is printed: `CPU µs: api` → 301. */
export type Figures = Readonly<Record<string, number>>;

export const quantile = (values: readonly number[], share: number): number =>
  Float64Array.from(values).toSorted()[Math.floor(values.length * share)] ?? Number.NaN;

const medianOf = (values: readonly number[]): number => {
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

const shown = (value: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return '';
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
};

/** A Markdown table: a column per checkout and, if there are two, the first divided by the second. */
export const tableOf = (title: string, columns: ReadonlyMap<string, Figures>): string => {
  const names = [...columns.keys()];
  const [ours = {}, theirs] = [...columns.values()];
  const head = [title, ...names, ...(theirs ? ['ratio'] : [])];
  const rows = Object.keys({ ...ours, ...theirs }).map((name) => {
    const [a, b] = [ours[name], theirs?.[name]];
    const ratio = a !== undefined && b !== undefined ? (a / b).toFixed(2) : '';
    return theirs ? [name, shown(a), shown(b), ratio] : [name, shown(a)];
  });
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `\n${lines.join('\n')}\n`;
};
