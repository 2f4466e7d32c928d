import type { Row } from './command.ts';

/** A type, because an interface is not assignable to `Row`. */
export type MetricsRow = {
  readonly day: string | null;
  readonly page: string | null;
  readonly campaign: string | null;
  readonly leads: number;
  readonly clients: number;
  readonly conversions: number;
  /** After all adjustments. */
  readonly amount: Readonly<Record<string, number>>;
  /** How far totals are below the original ones. */
  readonly refunded: Readonly<Record<string, number>>;
  readonly feedback: Readonly<Record<string, Readonly<Record<string, number>>>>;
};

const barWidth = 8;
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar in proportion to the greatest value; a value above 0 always shows. */
const bar = (value: number, greatest: number): string => {
  const length = Math.max(Math.round((value / Math.max(greatest, 1)) * barWidth * 8), value > 0 ? 1 : 0);
  return `${'█'.repeat(Math.floor(length / 8))}${eighths[length % 8] ?? ''}`.padEnd(barWidth);
};

const figure = (value: number) => value.toLocaleString('en-US');
const money = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 2 });

const funnel = ['leads', 'clients', 'conversions'] as const;

const sum = (rows: readonly MetricsRow[], valueOf: (row: MetricsRow) => number) =>
  rows.reduce((total, row) => total + valueOf(row), 0);

/** The names that have a value in at least one row. */
const used = (
  names: readonly string[],
  rows: readonly MetricsRow[],
  valueOf: (row: MetricsRow, name: string) => number,
) => names.filter((name) => rows.some((row) => valueOf(row, name) !== 0));

const amountIn = ({ amount }: MetricsRow, currency: string) => amount[currency] ?? 0;
const refundedIn = ({ refunded }: MetricsRow, currency: string) => refunded[currency] ?? 0;
const feedbackOf = ({ feedback }: MetricsRow, platform: string) =>
  Object.values(feedback[platform] ?? {}).reduce((total, count) => total + count, 0);

/** `12 delivered, 1 failed` */
const formatCounts = (states: ReadonlyMap<string, number>) =>
  [...states].map(([state, count]) => `${figure(count)} ${state}`).join(', ');

const statesOf = (rows: readonly MetricsRow[], platform: string): ReadonlyMap<string, number> => {
  const states = Object.keys(rows[0]?.feedback[platform] ?? {});
  return new Map(
    states
      .map((state) => [state, sum(rows, ({ feedback }) => feedback[platform]?.[state] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
};

/**
 * The funnel with bars, columns that have values, and a total if there are several rows. All `rows` must have the same
 * dimensions.
 */
export const metricsTable = (rows: readonly MetricsRow[]): readonly Row[] => {
  const [first] = rows;
  if (first === undefined) return [];
  const dimensions = (['day', 'page', 'campaign'] as const).filter((name) => rows.some((row) => row[name] !== null));
  const currencies = used(Object.keys(first.amount), rows, amountIn);
  const refunded = used(Object.keys(first.refunded), rows, refundedIn);
  const platforms = used(Object.keys(first.feedback), rows, feedbackOf);
  const greatest = Math.max(...rows.flatMap((row) => funnel.map((name) => row[name])));

  const line = (names: Row, of: readonly MetricsRow[], isTotal = false): Row => ({
    ...names,
    ...Object.fromEntries(
      funnel.map((name) => {
        const value = sum(of, (row) => row[name]);
        return [name, isTotal ? figure(value) : `${bar(value, greatest)} ${figure(value)}`];
      }),
    ),
    ...Object.fromEntries(currencies.map((name) => [name, money(sum(of, (row) => amountIn(row, name)))])),
    ...Object.fromEntries(refunded.map((name) => [`refunded ${name}`, money(sum(of, (row) => refundedIn(row, name)))])),
    ...Object.fromEntries(platforms.map((name) => [name, formatCounts(statesOf(of, name))])),
  });
  const [named] = dimensions;
  return [
    ...rows.map((row) => line(Object.fromEntries(dimensions.map((name) => [name, row[name]])), [row])),
    ...(rows.length > 1 && named !== undefined
      ? [line({ ...Object.fromEntries(dimensions.map((name) => [name, ''])), [named]: 'total' }, rows, true)]
      : []),
  ];
};
