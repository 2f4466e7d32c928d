import { asTyped, type Delimiter } from '@leadback/domain';
import { CsvError } from 'csv-parse';
import { CsvProblem } from './csv-problem.ts';
import { decodeText } from './decode-text.ts';
import { type CsvColumns, delimiterOf, readHeader } from './header.ts';
import { lineEnd, peekHeader } from './peek-header.ts';
import { parseRows, rowBytesMax } from './row-parser.ts';

export interface CsvRow {
  /** Where the row begins in the file; the header is line 1. */
  readonly line: number;
  /** In the order of `CsvFile.columns`; cells that the row does not have are empty. */
  readonly cells: readonly string[];
  /** In the order of `CsvColumns.ignored`, if the file has any of these. */
  readonly ignored?: readonly string[];
}

export interface CsvFile {
  readonly delimiter: Delimiter;
  /** Without the ignored ones. */
  readonly columns: readonly string[];
  /** Can be iterated once. Throws a `CsvProblem` at the first row that cannot be read. */
  readonly slices: AsyncIterable<readonly CsvRow[]>;
}

export interface CsvLimits {
  readonly bytesMax: number;
  /** Counts blank rows, too. */
  readonly rowsMax: number;
  readonly rowsPerSlice: number;
  /** A slice ends after the row that exceeds it. */
  readonly bytesPerSlice: number;
}

const rowProblems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; write a quote inside a quoted cell twice',
  INVALID_OPENING_QUOTE: 'a quote inside a cell; put the whole cell in quotes and write the quote inside twice',
  CSV_MAX_RECORD_SIZE: `a row larger than ${rowBytesMax / 1024} KiB; check that each quote is closed`,
};

const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((breaks, cell) => breaks + (/[\r\n]/.test(cell) ? cell.split(lineEnd).length - 1 : 0), 0);

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

const bytesOf = (cells: readonly string[]) => cells.reduce((bytes, cell) => bytes + Buffer.byteLength(cell), 0);

/**
 * Reads CSV (RFC 4180) in UTF-8 with a header, delimited by commas or semicolons, without keeping it in memory. Blank
 * rows are left out. Throws a `CsvProblem` if the header is wrong, before any row is read.
 */
export const readCsv = async (
  bytes: AsyncIterable<Uint8Array>,
  columns: CsvColumns,
  { bytesMax, rowsMax, rowsPerSlice, bytesPerSlice }: CsvLimits,
): Promise<CsvFile> => {
  const text = decodeText(bytes, bytesMax);
  const { header, start } = await peekHeader(text);
  const delimiter = delimiterOf(header);
  const names = readHeader(header, delimiter, columns);
  const { ignored = [] } = columns;
  const kept = names.flatMap((name, index) => (ignored.includes(name) ? [] : [index]));
  const hasIgnored = kept.length < names.length;

  async function* wholeText() {
    yield start;
    yield* text;
  }

  const rowOf = (line: number, cells: readonly string[]): CsvRow => {
    if (cells.length > names.length) {
      throw new CsvProblem(line, `${cells.length} cells, but the header has ${names.length} columns`);
    }
    return {
      line,
      cells: kept.map((index) => asTyped(cells[index] ?? '')),
      ...(hasIgnored && { ignored: ignored.map((name) => cells[names.indexOf(name)] ?? '') }),
    };
  };

  async function* slices(): AsyncGenerator<readonly CsvRow[]> {
    let nextLine = 1;
    let emptyBefore = 0;
    let rows = 0;
    let blankRows = 0;
    let slice: CsvRow[] = [];
    let sliceBytes = 0;
    const limitRows = (line: number, emptyLines: number) => {
      const blank = blankRows + emptyLines;
      if (rows + blank <= rowsMax) return;
      throw new CsvProblem(line, `more than ${rowsMax} rows${blank > 0 ? ' with the blank ones' : ''}; split the file`);
    };
    const onRow = (cells: readonly string[], emptyLines: number) => {
      const line = nextLine + emptyLines - emptyBefore;
      emptyBefore = emptyLines;
      nextLine = line + 1 + breaksIn(cells); // csv-parse counts a quoted CRLF as two lines
      if (line === 1) return;
      const isLeftOut = isBlank(cells);
      if (isLeftOut) blankRows += 1;
      else rows += 1;
      limitRows(line, emptyLines);
      if (isLeftOut) return;
      const row = rowOf(line, cells);
      slice.push(row);
      sliceBytes += bytesOf(row.cells);
    };
    try {
      for await (const emptyLines of parseRows(wholeText(), { delimiter, onRow })) {
        limitRows(nextLine, emptyLines);
        while (slice.length >= rowsPerSlice || sliceBytes >= bytesPerSlice) {
          yield slice.slice(0, rowsPerSlice);
          slice = slice.slice(rowsPerSlice);
          sliceBytes = 0;
        }
      }
    } catch (error) {
      const problem = error instanceof CsvError ? rowProblems[error.code] : undefined;
      throw problem === undefined ? error : new CsvProblem(nextLine, problem);
    }
    while (slice.length > 0) {
      yield slice.slice(0, rowsPerSlice);
      slice = slice.slice(rowsPerSlice);
    }
  }

  return { delimiter, columns: kept.map((index) => names[index] ?? ''), slices: slices() };
};
