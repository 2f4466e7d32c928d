import Table from 'cli-table3';
import { csvTable } from '@leadback/domain';
import type { CommandOutput, Row } from './command.ts';

/** Where a table is shown. */
export interface Screen {
  readonly columns: number;
  /** All columns, and times in full. */
  readonly isWide: boolean;
  readonly now: Date;
}

const style = { head: [], border: [] };

// wraps after 60 characters at a blank or comma, so that keys and URLs stay in one piece
const broken = (text: string) => text.replace(/(.{60,}?[ ,])(?=.)/gu, '$1\n');

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** `3 h ago`, `in 2 d` */
const relative = (at: Date, now: Date): string => {
  const ms = at.getTime() - now.getTime();
  const [size, unit] = units.find(([least]) => Math.abs(ms) >= least) ?? [1_000, 's'];
  const amount = `${Math.floor(Math.abs(ms) / size)} ${unit}`;
  return ms > 0 ? `in ${amount}` : `${amount} ago`;
};

const cell = (value: unknown, { isWide, now }: Screen): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return isWide ? value.toISOString() : relative(value, now);
  return broken(typeof value === 'string' ? value : JSON.stringify(value));
};

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;
const isListOfRows = (value: unknown): value is readonly Row[] => Array.isArray(value) && value.every(isRow);

const widthOf = (table: string): number => Math.max(...table.split('\n').map((line) => line.length));

/** `wrapped`: the column whose texts are broken, and how wide it may be. */
const gridOf = (
  rows: readonly Row[],
  head: readonly string[],
  screen: Screen,
  wrapped?: { readonly name: string; readonly width: number },
): string => {
  // a line below the head alone
  const chars = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };
  const colWidths = head.map((name) => (name === wrapped?.name ? wrapped.width : null));
  const table = new Table({ head: [...head], style, chars, ...(wrapped && { colWidths, wordWrap: true }) });
  for (const row of rows) table.push(head.map((name) => cell(row[name], screen)));
  const [top = '', names = '', ...lines] = table.toString().split('\n');
  const line = top.replace('┌', '├').replace('┐', '┤').replaceAll('┬', '┼');
  return [top, names, line, ...lines].join('\n');
};

const wrapWidthMin = 28;

/** With the longest texts on several lines, if enough room is left for them. */
const wrappedGrid = (rows: readonly Row[], head: readonly string[], screen: Screen): string | undefined => {
  const widths = head.map((name) => ({
    name,
    width:
      2 +
      Math.max(
        name.length,
        ...rows.flatMap((row) =>
          cell(row[name], screen)
            .split('\n')
            .map(({ length }) => length),
        ),
      ),
  }));
  const [longest] = widths.toSorted((one, other) => other.width - one.width);
  if (!longest) return undefined;
  const others = widths.filter((one) => one !== longest).reduce((sum, { width }) => sum + width + 1, 2);
  const width = screen.columns - others;
  return width < wrapWidthMin ? undefined : gridOf(rows, head, screen, { name: longest.name, width });
};

/** One line per value, without those that have none. */
const recordOf = (row: Row, screen: Screen): string => {
  const values = Object.entries(row).flatMap(([name, value]) => {
    const text = cell(value, screen);
    return text === '' ? [] : [{ name, text }];
  });
  const indent = Math.max(0, ...values.map(({ name }) => name.length)) + 2;
  const room = Math.max(20, screen.columns - indent);
  const wrapped = (text: string) =>
    text.split('\n').flatMap((line) => line.match(new RegExp(`\\S{${room},}|.{1,${room}}(?=\\s|$)`, 'gu')) ?? ['']);
  return values
    .map(({ name, text }) => {
      const lines = wrapped(text).map((line) => line.trim());
      return `${name.padEnd(indent)}${lines.join(`\n${' '.repeat(indent)}`)}`;
    })
    .join('\n');
};

const hasValue = (rows: readonly Row[], name: string) =>
  rows.some((row) => row[name] !== null && row[name] !== undefined && row[name] !== '');

/** The columns that fit: all of them, else those of `brief`, which say most, else one record below the other. */
const listTable = (rows: readonly Row[], screen: Screen, brief: readonly string[] = []): string => {
  const [first] = rows;
  if (first === undefined) return 'nothing';
  const all = Object.keys(first);
  if (screen.isWide) return gridOf(rows, all, screen);
  const chosen = brief.length > 0 ? all.filter((name) => brief.includes(name)) : all;
  const filled = chosen.filter((name) => hasValue(rows, name));
  for (const head of [all, chosen, filled]) {
    const grid = gridOf(rows, head, screen);
    if (widthOf(grid) <= screen.columns) return grid;
  }
  const wrapped = wrappedGrid(rows, filled, screen);
  if (wrapped !== undefined && widthOf(wrapped) <= screen.columns) return wrapped;
  return rows.map((row) => recordOf(Object.fromEntries(filled.map((name) => [name, row[name]])), screen)).join('\n\n');
};

/** One line per value, for rows that are wide or contain lists; each list follows as a table under its name. */
const rowWithLists = (row: Row, screen: Screen): string => {
  const table = new Table({ style });
  const single: Record<string, unknown> = {};
  const lists: string[] = [];
  for (const [name, value] of Object.entries(row)) {
    if (isListOfRows(value)) lists.push(`${name}\n${listTable(value, screen)}`);
    else {
      single[name] = value;
      table.push([name, cell(value, screen)]);
    }
  }
  if (table.length === 0) return lists.join('\n');
  const grid = table.toString();
  return [screen.isWide || widthOf(grid) <= screen.columns ? grid : recordOf(single, screen), ...lists].join('\n');
};

const shownTable = (result: Row | readonly Row[], screen: Screen, brief: readonly string[]): string => {
  if (isListOfRows(result)) return listTable(result, screen, brief);
  const isWhole = !Object.values(result).some(isListOfRows);
  const table = isWhole ? gridOf([result], Object.keys(result), screen) : '';
  return isWhole && (screen.isWide || widthOf(table) <= screen.columns) ? table : rowWithLists(result, screen);
};

/** One column per nested value: `amount.USD`. */
const flat = (row: Row, under = ''): Row =>
  Object.assign(
    {},
    ...Object.entries(row).map(([name, value]) =>
      isRow(value) && !(value instanceof Date) && !Array.isArray(value)
        ? flat(value, `${under}${name}.`)
        : { [`${under}${name}`]: value },
    ),
  );

const csv = (result: Row | readonly Row[], columns: readonly string[]): string => {
  const rows = (isListOfRows(result) ? result : [result]).map((row) => flat(row));
  return csvTable([...new Set([...rows.flatMap((row) => Object.keys(row)), ...columns])], rows).trimEnd();
};

export type Format = 'json' | 'csv' | 'table';

export const printResult = (
  { result, shown, columns, brief }: CommandOutput,
  format: Format,
  screen: Screen,
): string => {
  if (format === 'json') return JSON.stringify(result);
  if (format === 'csv') return csv(result, columns);
  return typeof shown === 'string' ? shown : shownTable(shown, screen, brief);
};
