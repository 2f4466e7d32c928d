import type { Delimiter } from '@leadback/domain';
import type { CsvColumns } from '../csv/header.ts';
import type { CsvRow } from '../csv/read-csv.ts';
import { clientSchema } from '../clients/register.ts';
import { conversionSchema } from '../conversions/register.ts';

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

/**
 * The client that a row of a result file says it is. Conversions always have a reference to recognise them by, and so
 * do not need it.
 */
export const claimedId = (subject: ImportSubject, { ignored = [] }: Pick<CsvRow, 'ignored'>): number | undefined => {
  const [outcome = '', id = ''] = ignored;
  const isRegistered = subject === 'client' && (outcome === 'created' || outcome === 'existing');
  return isRegistered && /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined;
};

const numberWith: Readonly<Record<Delimiter, RegExp>> = {
  // some spreadsheets write 1.500 for 1500 in files with commas, too; 0.500 and 1234.500 are no thousands
  ',': /^-?(?!(?!0)\d{1,3}\.\d{3}$)\d+(\.\d+)?$/,
  // where spreadsheets write decimal commas, three digits after either mark could be thousands
  ';': /^-?\d+([.,](\d{1,2}|\d{4,}))?$/,
};

/** A number if the text is one without doubt; otherwise the text, which the schema refuses. */
const amountOf = (text: string, delimiter: Delimiter): number | string =>
  numberWith[delimiter].test(text) ? Number(text.replace(',', '.')) : text;

/** What a row needs that no schema knows: an amount that could mean thousands is neither wrong nor a number. */
export const doubtIn = ({ amount }: Readonly<Record<string, string | number>>): string | undefined =>
  typeof amount === 'string' && /^-?\d[\d.,]*[.,]\d{3}$/.test(amount)
    ? 'amount: three digits after a comma or a point could be thousands; write 1234 or 1.23'
    : undefined;

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
