import type { Measures } from '../../../src/contract/overview.ts';
import { measuresOf, valueOf } from './measures.ts';

interface CsvRow {
  readonly name: string;
  readonly measures: Measures;
}

/** Quoted, and never a formula: spreadsheets run what begins with one of these characters. */
const quoted = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** With one column for each currency. */
export const csvOf = (nameTitle: string, rows: readonly CsvRow[]): string => {
  const all = { totals: { revenue: rows.flatMap(({ measures }) => measures.revenue) }, previous: { revenue: [] } };
  const columns = measuresOf(all);
  const lines = rows.map(({ name, measures }) => [quoted(name), ...columns.map((column) => valueOf(measures, column))]);
  return [[quoted(nameTitle), ...columns], ...lines].map((line) => `${line.join(',')}\r\n`).join('');
};
