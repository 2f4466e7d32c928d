import { stringify } from 'csv-stringify/sync';
import { asText } from './formula.ts';
import type { Delimiter } from './header.ts';

export interface CsvTextOptions {
  readonly delimiter?: Delimiter;
  /** Whether to begin with the names of the columns; for rows that are objects. */
  readonly hasHeader?: boolean;
}

/**
 * Writes rows as CSV for spreadsheets: a cell that would be a formula there gets an apostrophe, because what visitors
 * and partners send is untrusted.
 */
export const csvText = (
  rows: readonly (Readonly<Record<string, unknown>> | readonly unknown[])[],
  { delimiter = ',', hasHeader = false }: CsvTextOptions = {},
): string =>
  stringify([...rows], {
    delimiter,
    header: hasHeader,
    cast: { date: (date) => date.toISOString(), string: asText },
  });
