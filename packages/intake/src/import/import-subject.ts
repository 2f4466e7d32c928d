import type { CsvColumns, Delimiter } from '../csv/header.ts';
import { clientSchema } from '../new-client.ts';
import { conversionSchema } from '../new-conversion.ts';

export type ImportSubject = 'client' | 'conversion';

/** The columns that a result file has beside those of the import. */
export const resultColumns = ['outcome', 'id', 'message'] as const;

const clientColumns: CsvColumns = {
  known: Object.keys(clientSchema.shape),
  required: ['leadReference'],
  ignored: resultColumns,
};

const conversionColumns: CsvColumns = {
  known: Object.keys(conversionSchema.shape),
  required: ['conversionExternalReference', 'amount', 'currency'],
  requiredAny: ['clientExternalReference', 'email'],
  ignored: resultColumns,
};

export const columnsOf: Readonly<Record<ImportSubject, CsvColumns>> = {
  client: clientColumns,
  conversion: conversionColumns,
};

/** The column that makes it safe to register a row again. */
export const referenceColumnOf: Readonly<Record<ImportSubject, string>> = {
  client: 'externalReference',
  conversion: 'conversionExternalReference',
};

const numberWith: Readonly<Record<Delimiter, RegExp>> = {
  ',': /^-?\d+(\.\d+)?$/,
  // where spreadsheets write decimal commas, three digits after either mark could be thousands
  ';': /^-?\d+([.,](\d{1,2}|\d{4,}))?$/,
};

/** A number if the text is one without doubt; otherwise the text, which the schema refuses. */
const amountOf = (text: string, delimiter: Delimiter): number | string =>
  numberWith[delimiter].test(text) ? Number(text.replace(',', '.')) : text;

/** A row as a body of a single request. Empty cells are left out. */
export const itemOf = (
  cells: readonly string[],
  { columns, delimiter }: { readonly columns: readonly string[]; readonly delimiter: Delimiter },
): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    columns.flatMap((column, index) => {
      const text = cells[index]?.trim() ?? '';
      if (text === '') return [];
      return [[column, column === 'amount' ? amountOf(text, delimiter) : text]];
    }),
  );
