import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Delimiter, asTyped } from '@leadback/domain';
import { type Parser, parse, CsvError } from 'csv-parse';
import {
  type CsvColumns,
  hasHeaderLines,
  type Header,
  type HeaderChoices,
  headerOfText,
  missingFields,
  requireColumns,
  shownColumn,
} from './header.ts';
import { plainName } from './names.ts';
import { CsvProblem, type Encoding, textOf } from './text.ts';
import { type Sheets, tableBytesOf } from '../xlsx/read.ts';

export { CsvProblem };
export type { CsvColumns };

const lineEnd = /\r\n|\n|\r/;

/** Reads on until all lines in which the header may be are there; the first is enough if it has the names of fields. */
const peek = async (text: AsyncGenerator<string>, columns: CsvColumns): Promise<string> => {
  for (let start = ''; ; ) {
    if (hasHeaderLines(start, columns)) return start;
    const next = await text.next();
    if (next.done) return start;
    start += next.value;
  }
};

// with the columns that are not read: the notes and addresses of an order
const rowBytesMax = 64 * 1024;
// of the columns that are: every field at its longest, and the columns of a result
const keptBytesMax = 8 * 1024;

// some milliseconds of work even if each row is a single delimiter; other requests are served in between
const bytesAtOnce = 4 * 1024;

interface RowParserOptions {
  readonly delimiter: Delimiter;
  /** Called in order. `emptyLines`: how many were skipped before. What it throws, the parser throws. */
  readonly onRow: (cells: readonly string[], emptyLines: number) => void;
}

const parserOf = ({ delimiter, onRow }: RowParserOptions): Parser =>
  parse({
    delimiter,
    max_record_size: rowBytesMax,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    // nothing is read from the parser: rows that wait in a stream are lost when a later one fails
    on_record(cells, { empty_lines }) {
      onRow(cells, empty_lines);
      return null;
    },
  });

/** Parses text piece by piece. Yields the number of empty lines so far after each, and gives way to other work. */
async function* parseRows(text: AsyncIterable<string>, options: RowParserOptions): AsyncGenerator<number> {
  const parser = parserOf(options);
  parser.on('error', () => {}); // reaches the caller through `write` and `end`
  const write = promisify((piece: Buffer, done: (error?: Error | null) => void) => parser.write(piece, done));
  const end = promisify((done: (error?: Error | null) => void) => parser.end(done));
  for await (const part of text) {
    const bytes = Buffer.from(part);
    for (let at = 0; at < bytes.length; at += bytesAtOnce) {
      await write(bytes.subarray(at, at + bytesAtOnce));
      yield parser.info.empty_lines;
      await nextTurn();
    }
  }
  await end();
}

export interface CsvRow {
  /** Where the row begins in the file; the header is line 1, unless something stands above it. */
  readonly line: number;
  /** In the order of `CsvFile.columns`; cells that the row does not have are empty. */
  readonly cells: readonly string[];
  /** In the order of `CsvColumns.ignored`, if the file has any of these. */
  readonly ignored?: readonly string[];
  /** Of an order that is not paid, such as a cancelled one. */
  readonly isUnpaid?: true;
}

/** What a file was found to be before its rows are read. */
export interface TableShape {
  readonly header: Header;
  /** Our fields that the file has, in its order. */
  readonly columns: readonly string[];
  /** What is not read, as it may be shown. */
  readonly ignoredColumns: readonly string[];
  /** How its cells are written, as the file or its kind says. */
  readonly kind: { readonly timeZone?: string | undefined; readonly dateOrder?: 'dmy' | undefined };
}

export interface CsvFile extends TableShape {
  /** Of a workbook; encoding and delimiter say nothing of it. */
  readonly sheets: Sheets | undefined;
  readonly delimiter: Delimiter;
  /** As found so far. */
  readonly encoding: () => Encoding | undefined;
  /** Can be iterated once. Throws a `CsvProblem` at the first row that cannot be read. */
  readonly slices: AsyncIterable<readonly CsvRow[]>;
  /** Gives back the memory that a workbook takes: call it also if the slices were not read. */
  readonly [Symbol.dispose]: () => void;
}

export interface CsvLimits {
  readonly bytesMax: number;
  /** Counts blank rows, too. */
  readonly rowsMax: number;
  readonly rowsPerSlice: number;
  /** A slice ends after the row that exceeds it. */
  readonly bytesPerSlice: number;
}

/** What a person chose, over what was found. */
export interface TableChoices extends HeaderChoices {
  readonly encoding?: Encoding | undefined;
  /** Of a workbook, by its name. */
  readonly sheet?: string | undefined;
}

interface ReadOptions {
  readonly choices?: TableChoices | undefined;
  /** What was chosen for an earlier file with the same names, if nothing is chosen for this one. */
  readonly remembered?: ((names: readonly string[]) => Promise<TableChoices | undefined>) | undefined;
  /** Columns may be missing. */
  readonly isPreview?: boolean | undefined;
}

const rowProblems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; write a quote inside a quoted cell twice',
  INVALID_OPENING_QUOTE: 'a quote inside a cell; put the whole cell in quotes and write the quote inside twice',
  CSV_MAX_RECORD_SIZE: `a row larger than ${keptBytesMax / 1024} KiB; check that each quote is closed`,
};

const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((breaks, cell) => breaks + (/[\r\n]/.test(cell) ? cell.split(lineEnd).length - 1 : 0), 0);

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

const bytesOf = (cells: readonly string[]) => cells.reduce((bytes, cell) => bytes + Buffer.byteLength(cell), 0);

const indexOfNamed = ({ names }: Header, wanted: readonly string[] = []): number => {
  for (const want of wanted) {
    const index = names.findIndex(
      (name) => plainName(name) === want || plainName(/\(([\w ]+)\)\s*$/.exec(name)?.[1] ?? '') === want,
    );
    if (index !== -1) return index;
  }
  return -1;
};

/**
 * Makes rows of a table of their cells, and slices of rows: blank ones are left out, and so are further rows of one order. Throws a
 * `CsvProblem` for too many rows or cells.
 */
export class RowCollector {
  readonly shape: TableShape;
  readonly #limits: CsvLimits;
  readonly #ignored: readonly string[];
  readonly #kept: readonly number[];
  readonly #groupedBy: number;
  readonly #paidBy: number;
  readonly #currency: string | undefined;
  readonly #addsCurrency: boolean;
  #group = '';
  #rows = 0;
  #blankRows = 0;
  #slice: CsvRow[] = [];
  #sliceBytes = 0;

  constructor(
    header: Header,
    columns: CsvColumns,
    limits: CsvLimits,
    { timeZone, currency }: { readonly timeZone: string | undefined; readonly currency: string | undefined },
  ) {
    const { names, fields, shape } = header;
    const { ignored = [] } = columns;
    this.#limits = limits;
    this.#kept = [...fields.keys()].filter((index) => fields[index] !== undefined);
    this.#ignored = names.some((name, index) => ignored.includes(name) && fields[index] === undefined) ? ignored : [];
    this.#currency = currency;
    this.#addsCurrency = currency !== undefined && columns.known.includes('currency') && !fields.includes('currency');
    this.#groupedBy = indexOfNamed(header, shape?.groupedBy);
    this.#paidBy = indexOfNamed(header, shape?.paid?.columns);
    this.shape = {
      header,
      columns: [...this.#kept.map((index) => fields[index] ?? ''), ...(this.#addsCurrency ? ['currency'] : [])],
      ignoredColumns: names.flatMap((name, index) =>
        fields[index] === undefined && !ignored.includes(name) ? [shownColumn(name, index + 1)] : [],
      ),
      kind: { timeZone: timeZone ?? shape?.timeZone, dateOrder: shape?.dateOrder },
    };
  }

  limit(line: number, emptyLines: number): void {
    const blank = this.#blankRows + emptyLines;
    const { rowsMax } = this.#limits;
    if (this.#rows + blank <= rowsMax) return;
    throw new CsvProblem(line, `more than ${rowsMax} rows${blank > 0 ? ' with the blank ones' : ''}; split the file`);
  }

  add(line: number, cells: readonly string[], emptyLines: number): void {
    const isLeftOut = isBlank(cells);
    if (isLeftOut) this.#blankRows += 1;
    else this.#rows += 1;
    this.limit(line, emptyLines);
    if (isLeftOut || this.#isOfSameOrder(cells)) return;
    const row = this.#rowOf(line, cells);
    this.#slice.push(row);
    this.#sliceBytes += bytesOf(row.cells);
  }

  /** Those that are full; with `isLast`, also the rest. */
  *slices(isLast: boolean): Generator<readonly CsvRow[]> {
    const { rowsPerSlice, bytesPerSlice } = this.#limits;
    const rowsMin = isLast ? 1 : rowsPerSlice;
    while (this.#slice.length >= rowsMin || this.#sliceBytes >= bytesPerSlice) {
      yield this.#slice.slice(0, rowsPerSlice);
      this.#slice = this.#slice.slice(rowsPerSlice);
      this.#sliceBytes = 0;
    }
  }

  #isOfSameOrder(cells: readonly string[]): boolean {
    if (this.#groupedBy === -1) return false;
    const group = cells[this.#groupedBy]?.trim() ?? '';
    const isSame = group !== '' && group === this.#group;
    this.#group = group;
    return isSame;
  }

  #rowOf(line: number, cells: readonly string[]): CsvRow {
    const { names, fields, shape } = this.shape.header;
    if (cells.length > names.length && !isBlank(cells.slice(names.length))) {
      throw new CsvProblem(line, `${cells.length} cells, but the header has ${names.length} columns`);
    }
    const kept = this.#kept.map((index) => {
      const cell = asTyped(cells[index] ?? '');
      return shape?.hasSmallCurrencies === true && fields[index] === 'currency' ? cell.toUpperCase() : cell;
    });
    if (this.#addsCurrency) kept.push(this.#currency ?? '');
    if (bytesOf(kept) > keptBytesMax) throw new CsvProblem(line, rowProblems['CSV_MAX_RECORD_SIZE'] ?? '');
    const status = this.#paidBy === -1 ? undefined : plainName(cells[this.#paidBy] ?? '');
    const isUnpaid = status !== undefined && shape?.paid?.values.includes(status) === false;
    return {
      line,
      cells: kept,
      ...(this.#ignored.length > 0 && { ignored: this.#ignored.map((name) => cells[names.indexOf(name)] ?? '') }),
      ...(isUnpaid && { isUnpaid }),
    };
  }
}

// what a sheet is made into
const ofSheets = { encoding: 'utf-8', delimiter: ',' } as const;

/** How many of the fields that are needed the beginning of a table lacks. */
const lackedBy = (start: string, columns: CsvColumns, choices: TableChoices): number => {
  try {
    return missingFields(headerOfText(start, columns, choices), columns, choices).length;
  } catch (error) {
    if (error instanceof CsvProblem) return Number.POSITIVE_INFINITY;
    throw error;
  }
};

/**
 * Reads CSV (RFC 4180) or a workbook (.xlsx) with a header, without keeping its rows in memory: its encoding, its delimiter, its sheet and
 * where its header stands are found, unless they were chosen. Blank rows are left out. Throws a `CsvProblem` if the header is wrong, before any row is read.
 */
export const readCsv = async (
  bytes: AsyncIterable<Uint8Array>,
  columns: CsvColumns,
  limits: CsvLimits,
  { choices: given = {}, remembered, isPreview = false }: ReadOptions = {},
): Promise<CsvFile> => {
  const source = await tableBytesOf(bytes, {
    sheet: given.sheet,
    lacks: (start) => lackedBy(start, columns, { ...given, ...ofSheets }),
  });
  const asIs = (one: TableChoices): TableChoices => (source.sheets ? { ...one, ...ofSheets } : one);
  const { parts: text, encoding } = textOf(source.bytes, {
    bytesMax: limits.bytesMax,
    declared: asIs(given).encoding,
  });
  const begin = async () => {
    const start = await peek(text, columns);
    const found = headerOfText(start, columns, asIs(given));
    const choices = (await remembered?.(found.names)) ?? given;
    const { delimiter, at, timeZone, ...header } =
      choices === given ? found : headerOfText(start, columns, asIs(choices));
    if (!isPreview) requireColumns(header, columns, choices);
    const rows = new RowCollector(header, columns, limits, { timeZone, currency: choices.currency });
    return { start, delimiter, at, header, rows };
  };
  const { start, delimiter, at, header, rows } = await begin().catch((error: unknown) => {
    source[Symbol.dispose]();
    throw error;
  });

  async function* fromHeader() {
    yield start.slice(at);
    yield* text;
  }

  async function* slices(): AsyncGenerator<readonly CsvRow[]> {
    let nextLine = header.line;
    let emptyBefore = 0;
    const onRow = (cells: readonly string[], emptyLines: number) => {
      const line = nextLine + emptyLines - emptyBefore;
      emptyBefore = emptyLines;
      nextLine = line + 1 + breaksIn(cells); // csv-parse counts a quoted CRLF as two lines
      if (line !== header.line) rows.add(line, cells, emptyLines);
    };
    try {
      for await (const emptyLines of parseRows(fromHeader(), { delimiter, onRow })) {
        rows.limit(nextLine, emptyLines);
        yield* rows.slices(false);
      }
    } catch (error) {
      const problem = error instanceof CsvError ? rowProblems[error.code] : undefined;
      throw problem === undefined ? error : new CsvProblem(nextLine, problem);
    }
    yield* rows.slices(true);
  }

  return {
    ...rows.shape,
    delimiter,
    encoding,
    sheets: source.sheets,
    slices: slices(),
    [Symbol.dispose]: () => source[Symbol.dispose](),
  };
};
