import Table from 'cli-table3';
import type { Row } from './command.ts';

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The result as one JSON value, or as a table for people. */
export const printResult = (result: Row | readonly Row[], isJson: boolean): string => {
  if (isJson) return JSON.stringify(result);
  const rows = Array.isArray(result) ? result : [result];
  if (rows.length === 0) return 'nothing';
  const head = Object.keys(rows[0]);
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const row of rows) table.push(head.map((name) => cell(row[name])));
  return table.toString();
};
