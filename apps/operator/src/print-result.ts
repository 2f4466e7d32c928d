import Table from 'cli-table3';
import { csvTable } from '@leadback/domain';
import type { CommandOutput, Row } from './command.ts';

const widthMax = 120;
const style = { head: [], border: [] };

// wraps after 60 characters at a blank or comma, so that keys and URLs stay in one piece
const broken = (text: string) => text.replace(/(.{60,}?[ ,])(?=.)/gu, '$1\n');

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return broken(typeof value === 'string' ? value : JSON.stringify(value));
};

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;
const isListOfRows = (value: unknown): value is readonly Row[] => Array.isArray(value) && value.every(isRow);

const listTable = (rows: readonly Row[]): string => {
  const [first] = rows;
  if (first === undefined) return 'nothing';
  const head = Object.keys(first);
  const table = new Table({ head, style });
  for (const row of rows) table.push(head.map((name) => cell(row[name])));
  return table.toString();
};

/** One line per value, for rows that are wide or contain lists; each list follows as a table under its name. */
const rowWithLists = (row: Row): string => {
  const table = new Table({ style });
  const lists: string[] = [];
  for (const [name, value] of Object.entries(row)) {
    if (isListOfRows(value)) lists.push(`${name}\n${listTable(value)}`);
    else table.push([name, cell(value)]);
  }
  return [...(table.length > 0 ? [table.toString()] : []), ...lists].join('\n');
};

const shownTable = (result: Row | readonly Row[]): string => {
  if (isListOfRows(result)) return listTable(result);
  const isWhole = !Object.values(result).some(isListOfRows);
  const table = isWhole ? listTable([result]) : '';
  return isWhole && table.indexOf('\n') <= widthMax ? table : rowWithLists(result);
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

export const printResult = ({ result, shown, columns }: CommandOutput, format: Format): string => {
  if (format === 'json') return JSON.stringify(result);
  if (format === 'csv') return csv(result, columns);
  return typeof shown === 'string' ? shown : shownTable(shown);
};
