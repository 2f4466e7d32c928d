import { currencies, decimalsOf, delimiters, isCurrency, timeZoneSchema } from '@leadback/domain';
import { z } from 'zod';
import { countMarks, decimalMarkOf, type MarkCounts, noMarks, readAmount, unclearAmount } from '../csv/numbers.ts';
import { encodings } from '../csv/text.ts';
import { countOrders, dateOrderOf, noOrders, type OrderCounts, readTime } from '../csv/times.ts';

/** What a person chooses of a file, over what is found in it. */
export const fileChoicesSchema = z.strictObject({
  encoding: z.enum(encodings).optional(),
  delimiter: z.enum(delimiters).optional(),
  /** Of a workbook, by its name. */
  sheet: z.string().max(64).optional(),
  headerLine: z.int().min(1).max(40).optional(),
  /** The field of each column that is chosen; null: it is not read. */
  columns: z.record(z.string().max(255), z.string().max(64).nullable()).optional(),
  decimalMark: z.enum(['.', ',']).optional(),
  dateOrder: z.enum(['dmy', 'mdy']).optional(),
  timeZone: timeZoneSchema.optional(),
  currency: z.enum(currencies).optional(),
});
export type FileChoices = z.output<typeof fileChoicesSchema>;

const expectedChoices =
  'expected JSON such as {"columns":{"Neto":"amount"},"dateOrder":"dmy","timeZone":"America/Argentina/Buenos_Aires"}';

/** The same as text, in an address or an option. */
export const choicesTextSchema = z
  .string()
  .max(8_192, expectedChoices)
  .transform((text, context) => {
    try {
      const sent: unknown = JSON.parse(text);
      return sent;
    } catch {
      context.addIssue({ code: 'custom', message: expectedChoices });
      return z.NEVER;
    }
  })
  .pipe(fileChoicesSchema);

/**
 * How the cells of a file are read. It is decided when the whole file is stored, and stored with it: a run that goes on after a crash reads
 * the same.
 */
export const readingSchema = z.object({
  decimalMark: z.enum(['.', ',']).optional(),
  dateOrder: z.enum(['dmy', 'mdy']).optional(),
  timeZone: z.string().optional(),
  /** When the file arrived: a day without a time ends no later. */
  until: z.string(),
});
export type Reading = z.output<typeof readingSchema>;

/** What the cells of a file say about how they are written. */
export interface CellCounts {
  readonly marks: MarkCounts;
  readonly orders: OrderCounts;
}

export const noCells: CellCounts = { marks: noMarks, orders: noOrders };

export const countCells = (so: CellCounts, cells: readonly string[], columns: readonly string[]): CellCounts => {
  const amount = cells[columns.indexOf('amount')]?.trim() ?? '';
  const time = cells[columns.indexOf('occurredAt')]?.trim() ?? '';
  return {
    marks: amount === '' ? so.marks : countMarks(so.marks, amount),
    orders: time === '' ? so.orders : countOrders(so.orders, time),
  };
};

interface Known extends Pick<FileChoices, 'decimalMark' | 'dateOrder' | 'timeZone'> {}

/** How a file is read: as chosen, as its kind says, or as its cells leave no doubt. */
export const readingOf = ({ marks, orders }: CellCounts, chosen: Known, kind: Known): Omit<Reading, 'until'> => ({
  decimalMark: chosen.decimalMark ?? kind.decimalMark ?? decimalMarkOf(marks),
  dateOrder: chosen.dateOrder ?? kind.dateOrder ?? dateOrderOf(orders),
  timeZone: chosen.timeZone ?? kind.timeZone,
});

/** What a file leaves open: its rows with such a cell are refused, unless somebody chooses. */
export const questionsOf = ({ marks, orders }: CellCounts, reading: Omit<Reading, 'until'>): FileQuestion[] => {
  const hasUnclear = marks.unclear['.'] + marks.unclear[','] > 0;
  return [
    ...(hasUnclear && reading.decimalMark === undefined ? (['decimalMark'] as const) : []),
    ...(orders.unclear > 0 && reading.dateOrder === undefined ? (['dateOrder'] as const) : []),
    ...(orders.local > 0 && reading.timeZone === undefined ? (['timeZone'] as const) : []),
  ];
};

export const fileQuestions = ['decimalMark', 'dateOrder', 'timeZone'] as const;
export type FileQuestion = (typeof fileQuestions)[number];

const identifiers = [
  'conversionExternalReference',
  'clientExternalReference',
  'externalReference',
  'leadReference',
  'phoneNumber',
  'eventId',
];

const amountColumns: readonly string[] = ['amount', 'netAmount'];

// what a spreadsheet makes of a long number: the rest of its digits is lost
const scientific = /^\d(?:[.,]\d+)?E\+\d+$/i;

export interface ReadRow {
  /** A body of a single request. */
  readonly item: Readonly<Record<string, string | number>>;
  /** Why the row cannot be read, though each cell may be what its field takes. */
  readonly problem: string | undefined;
}

interface Table {
  readonly columns: readonly string[];
  readonly reading: Reading;
}

/** A row as a body of a single request. Empty cells are left out. What cannot be read stays as it is, and its field refuses it. */
export const readRow = (cells: readonly string[], { columns, reading }: Table): ReadRow => {
  const item: Record<string, string | number> = {};
  let problem: string | undefined;
  for (const [index, column] of columns.entries()) {
    const text = cells[index]?.trim() ?? '';
    if (text !== '') item[column] = text;
  }
  for (const column of identifiers) {
    if (typeof item[column] === 'string' && scientific.test(item[column])) {
      problem ??= `${column}: a spreadsheet has cut this number; format the column as text and export it again`;
    }
  }
  const { occurredAt } = item;
  for (const column of amountColumns) {
    const { [column]: amount, currency } = item;
    if (typeof amount !== 'string') continue;
    const code = typeof currency === 'string' ? currency : undefined;
    const decimals = isCurrency(code) ? decimalsOf(code) : 2;
    const read = readAmount(amount, { decimalMark: reading.decimalMark, decimals });
    if (read === 'unclear') problem ??= unclearAmount.replace('amount', column);
    else if (read !== undefined) {
      if (code === undefined && read.currency !== undefined) item['currency'] = read.currency;
      if (code === undefined || read.currency === undefined || read.currency === code) item[column] = read.amount;
      // as it was written: its number alone would be taken the next time
      else problem ??= `${column}: names another currency than the column currency`;
    }
  }
  if (typeof occurredAt === 'string') {
    const read = readTime(occurredAt, reading);
    if (read !== undefined && 'problem' in read) problem ??= read.problem;
    else if (read !== undefined) item['occurredAt'] = read.time;
  }
  return { item, problem };
};

/** The cells of a row as a result file has them: what only its choices could read is written so that any import can. */
export const resultCells = (cells: readonly string[], table: Table): string[] => {
  const { columns, reading } = table;
  const read = readRow(cells, table).item;
  const alone = readRow(cells, { columns, reading: { until: reading.until } });
  return cells.map((cell, index) => {
    const column = columns[index] ?? '';
    const isRead = (amountColumns.includes(column) && typeof read[column] === 'number') || column === 'occurredAt';
    const isSame = alone.problem === undefined && alone.item[column] === read[column];
    return isRead && !isSame && read[column] !== undefined ? String(read[column]) : cell;
  });
};
