import { type Queryable, statement } from '@leadback/db';
import { type Delimiter, invalidFields } from '@leadback/domain';
import { missingFields } from '../csv/header.ts';
import type { KnownExport } from '../csv/names.ts';
import { readCsv } from '../csv/read.ts';
import type { Encoding } from '../csv/text.ts';
import type { Sheets } from '../xlsx/read.ts';
import { type FileShape, recallChoices } from './choices.ts';
import {
  countCells,
  type FileChoices,
  type FileQuestion,
  noCells,
  questionsOf,
  type Reading,
  readingOf,
  type ReadRow,
  readRow,
} from './reading.ts';
import { fileLimits } from './store.ts';
import { columnsOf, type ImportSubject, schemaOf } from './subject.ts';

const samplesMax = 10;

/** A file as an import would read it. */
export interface FilePreview {
  /** Undefined of a workbook, as `delimiter`. */
  readonly encoding: Encoding | undefined;
  readonly delimiter: Delimiter | undefined;
  /** Of a workbook: the sheet that is read, and those that could be. */
  readonly sheets: Sheets | undefined;
  readonly headerLine: number;
  /** Whose export it is. */
  readonly export: KnownExport | undefined;
  /** In the order of the file; `field` undefined: it is not read. */
  readonly columns: readonly { readonly name: string; readonly field: string | undefined }[];
  readonly reading: Omit<Reading, 'until'>;
  readonly currency: string | undefined;
  /** Fields that no column has, without which nothing is registered. */
  readonly missing: readonly string[];
  /** What has two meanings. Rows with such a cell are refused until somebody chooses. */
  readonly questions: readonly FileQuestion[];
  /** What to choose if nothing speaks against it: the account's. */
  readonly proposed: { readonly timeZone: string; readonly currency: string };
  /** Over what was found: as asked for, or those of an earlier file. */
  readonly choices: FileChoices;
  /** Whether the choices are those of an earlier file. */
  readonly isRemembered: boolean;
  readonly rows: number;
  readonly notPaid: number;
  readonly samples: readonly (ReadRow & { readonly line: number; readonly isUnpaid: boolean })[];
}

const findAccount = statement<{ timeZone: string; currency: string | null }>(
  `select time_zone as "timeZone", currencies[1] as currency from account where id = $1`,
);

interface FileToPreview extends Omit<FileShape, 'names'> {
  readonly choices: FileChoices;
}

/** A row as it will be read, and why it will be refused, as far as that shows without the records of the account. */
const previewRow = (subject: ImportSubject, ...[cells, table]: Parameters<typeof readRow>): ReadRow => {
  const { item, problem } = readRow(cells, table);
  const { error } = schemaOf[subject].safeParse(item);
  return { item, problem: problem ?? (error && invalidFields(error, 'item').message) };
};

/** Reads a whole file and registers nothing. Throws a `CsvProblem` if it cannot be read. */
export const previewFile = async (
  on: Queryable,
  { accountId, subject, choices: given }: FileToPreview,
  bytes: AsyncIterable<Uint8Array>,
): Promise<FilePreview> => {
  let choices = given;
  const columns = columnsOf[subject];
  using file = await readCsv(bytes, columns, fileLimits, {
    choices,
    isPreview: true,
    remembered: async (names) => {
      choices = await recallChoices(on, { accountId, subject, names }, given);
      return choices;
    },
  });
  const [account] = await findAccount(on, [accountId]);
  let cells = noCells;
  let rows = 0;
  let notPaid = 0;
  const first: { readonly line: number; readonly cells: readonly string[]; readonly isUnpaid: boolean }[] = [];
  for await (const slice of file.slices) {
    for (const row of slice) {
      cells = countCells(cells, row.cells, file.columns);
      rows += 1;
      if (row.isUnpaid) notPaid += 1;
      if (first.length < samplesMax) first.push({ line: row.line, cells: row.cells, isUnpaid: row.isUnpaid === true });
    }
  }
  const reading = readingOf(cells, choices, file.kind);
  const table = { columns: file.columns, reading: { ...reading, until: new Date().toISOString() } };
  const { names, fields, shape, line } = file.header;
  return {
    encoding: file.sheets ? undefined : (file.encoding() ?? 'utf-8'),
    delimiter: file.sheets ? undefined : file.delimiter,
    sheets: file.sheets,
    headerLine: line,
    export: shape?.kind,
    columns: names.map((name, index) => ({ name, field: fields[index] })),
    reading,
    currency: choices.currency,
    missing: missingFields(file.header, columns, choices),
    questions: questionsOf(cells, reading),
    proposed: { timeZone: account?.timeZone ?? 'UTC', currency: account?.currency ?? 'USD' },
    choices,
    isRemembered: choices !== given,
    rows,
    notPaid,
    samples: first.map((row) => ({ line: row.line, isUnpaid: row.isUnpaid, ...previewRow(subject, row.cells, table) })),
  };
};

/** A preview as those who see it get it: what was not found is null. */
export const describePreview = (found: FilePreview) => {
  const {
    reading,
    columns,
    samples,
    sheets,
    export: kind = null,
    currency = null,
    missing,
    questions,
    ...same
  } = found;
  const { encoding = null, delimiter = null, ...known } = same;
  const { decimalMark = null, dateOrder = null, timeZone = null } = reading;
  return {
    ...known,
    encoding,
    delimiter,
    sheet: sheets?.read ?? null,
    sheets: [...(sheets?.names ?? [])],
    export: kind,
    columns: columns.map(({ name, field = null }) => ({ name, field })),
    decimalMark,
    dateOrder,
    timeZone,
    currency,
    missing: [...missing],
    questions: [...questions],
    samples: samples.map(({ line, item, problem = null, isUnpaid }) => ({
      line,
      fields: item,
      message: problem,
      isPaid: !isUnpaid,
    })),
  };
};
