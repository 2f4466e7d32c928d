import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { CsvProblem } from './csv-problem.ts';
import { decodeText } from './decode-text.ts';
import { type CsvColumns, type Delimiter, delimiterOf, readHeader } from './header.ts';

export interface CsvRow {
  /** Where the row begins in the file; the header is line 1. */
  readonly line: number;
  /** In the order of `CsvFile.columns`; cells that the row does not have are empty. */
  readonly cells: readonly string[];
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
  readonly rowsMax: number;
  readonly rowsPerSlice: number;
}

const headerBytesMax = 16 * 1024;
const rowBytesMax = 64 * 1024;
const lineEnd = /\r\n|\n|\r/;

/** Reads on until the header is whole. Returns it and the text from the beginning. */
const peekHeader = async (text: AsyncGenerator<string>) => {
  let start = '';
  for (;;) {
    const end = start.search(lineEnd);
    if (end !== -1 || start.length > headerBytesMax) {
      return { header: start.slice(0, end === -1 ? 0 : end), start };
    }
    const next = await text.next();
    if (next.done) return { header: start, start };
    start += next.value;
  }
};

// shown to spreadsheets, this is text and not a formula; result files have it
const asTyped = (cell: string) => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

const rowProblems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; write a quote inside a quoted cell twice',
  INVALID_OPENING_QUOTE: 'a quote inside a cell; put the whole cell in quotes and write the quote inside twice',
  CSV_MAX_RECORD_SIZE: `a row larger than ${rowBytesMax / 1024} KiB; check that each quote is closed`,
};

// `on_record` puts the line before the cells
const numberedRow = (numbered: unknown): CsvRow => {
  if (!Array.isArray(numbered)) throw new TypeError('expected a line and its cells');
  const [line, ...cells]: readonly string[] = numbered;
  return { line: Number(line), cells };
};

const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((breaks, cell) => breaks + (/[\r\n]/.test(cell) ? cell.split(lineEnd).length - 1 : 0), 0);

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

/**
 * Reads CSV (RFC 4180) in UTF-8 with a header, delimited by commas or semicolons, without keeping it in memory. Blank
 * rows are left out. Throws a `CsvProblem` if the header is wrong, before any row is read.
 */
export const readCsv = async (
  bytes: AsyncIterable<Uint8Array>,
  columns: CsvColumns,
  { bytesMax, rowsMax, rowsPerSlice }: CsvLimits,
): Promise<CsvFile> => {
  const text = decodeText(bytes, bytesMax);
  const { header, start } = await peekHeader(text);
  const delimiter = delimiterOf(header);
  const names = readHeader(header, delimiter, columns);
  const kept = names.flatMap((name, index) => (columns.ignored?.includes(name) ? [] : [index]));

  async function* wholeText() {
    yield start;
    yield* text;
  }

  const numbered = (line: number, cells: readonly string[]): string[] => {
    if (cells.length > names.length) {
      throw new CsvProblem(line, `${cells.length} cells, but the header has ${names.length} columns`);
    }
    return [String(line), ...kept.map((index) => asTyped(cells[index] ?? ''))];
  };

  async function* slices(): AsyncGenerator<readonly CsvRow[]> {
    let nextLine = 1;
    let emptyLines = 0;
    let rows = 0;
    const parser = parse({
      delimiter,
      max_record_size: rowBytesMax,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      // and not in the loop below: rows that it has not received are lost when a later one fails
      on_record(cells, { empty_lines }) {
        const line = nextLine + empty_lines - emptyLines;
        emptyLines = empty_lines;
        nextLine = line + 1 + breaksIn(cells); // csv-parse counts a quoted CRLF as two lines
        if (line === 1 || isBlank(cells)) return null;
        if (++rows > rowsMax) throw new CsvProblem(line, `more than ${rowsMax} rows; split the file`);
        return numbered(line, cells);
      },
    });
    // a failure reaches the loop below
    pipeline(Readable.from(wholeText()), parser).catch(() => {});
    let slice: CsvRow[] = [];
    try {
      for await (const row of parser) {
        slice.push(numberedRow(row));
        if (slice.length < rowsPerSlice) continue;
        yield slice;
        slice = [];
      }
    } catch (error) {
      const problem = error instanceof CsvError ? rowProblems[error.code] : undefined;
      throw problem === undefined ? error : new CsvProblem(nextLine, problem);
    }
    if (slice.length > 0) yield slice;
  }

  return { delimiter, columns: kept.map((index) => names[index] ?? ''), slices: slices() };
};
