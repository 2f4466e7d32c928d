import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { type Delimiter, nearestName, asTyped } from '@leadback/domain';
import { type Parser, parse, CsvError } from 'csv-parse';

/** A file that cannot be read as CSV. The message names the line and the fix, and never quotes a cell. */
export class CsvProblem extends Error {
  override readonly name = 'CsvProblem';
  readonly line: number;

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
    this.line = line;
  }
}

const newline = 0x0a;
const encodingProblem = 'not valid UTF-8; save the file as "CSV UTF-8"';

// the rest of a character that began in the chunk before
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where the first line of a chunk that is not text begins. */
const startOfProblem = (chunk: Uint8Array): number => {
  let start = 0;
  while (start < 3 && isContinuation(chunk[start])) start++;
  for (let lineStart = 0; ; lineStart = start) {
    const end = chunk.indexOf(newline, start);
    const line = chunk.subarray(start, end === -1 ? undefined : end);
    if (end === -1 || !isUtf8(line) || line.includes(0)) return lineStart;
    start = end + 1;
  }
};

const countLines = (chunk: Uint8Array): number => {
  let lines = 0;
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines++;
  return lines;
};

/**
 * Decodes UTF-8 with or without a byte order mark. Throws a `CsvProblem` for other bytes, for NUL (as in UTF-16), which
 * PostgreSQL cannot store, and after `bytesMax` bytes.
 */
async function* decodeText(chunks: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (chunk: Uint8Array): string | undefined => {
    try {
      return chunk.includes(0) ? undefined : decoder.decode(chunk, { stream: true });
    } catch {
      return undefined;
    }
  };
  let bytes = 0;
  let lines = 1;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new CsvProblem(lines, `the file is larger than ${bytesMax / 2 ** 20} MiB; split it`);
    const text = decoded(chunk);
    if (text === undefined) {
      // first what comes before: the header must be readable, whatever the size of chunks
      const good = chunk.subarray(0, startOfProblem(chunk));
      yield new TextDecoder().decode(good);
      throw new CsvProblem(lines + countLines(good), encodingProblem);
    }
    yield text;
    lines += countLines(chunk);
  }
  try {
    decoder.decode();
  } catch {
    throw new CsvProblem(lines, encodingProblem);
  }
}

/** The columns that a file may have. */
export interface CsvColumns {
  readonly known: readonly string[];
  readonly required: readonly string[];
  /** At least one of these is required. */
  readonly requiredAny?: readonly string[];
  /** Columns whose cells are not read, such as those of a result file that is sent again. */
  readonly ignored?: readonly string[];
}

const headerLine = 1;
const unknownNamedMax = 3;
const countOf = (text: string, delimiter: Delimiter) => text.split(delimiter).length;

/** The delimiter of a header: no name of a column contains either one. */
const delimiterOf = (header: string): Delimiter => (countOf(header, ';') > countOf(header, ',') ? ';' : ',');

const namesIn = (header: string, delimiter: Delimiter): string[] => {
  try {
    const [names = []] = parseAtOnce(header, { delimiter });
    return names.map((name) => name.trim());
  } catch {
    throw new CsvProblem(headerLine, 'the header is not valid CSV; a quote is not closed or stands inside a name');
  }
};

// a file without a header has personal data where the names are expected
const looksLikeName = /^[A-Za-z][\w -]{0,39}$/;

const unknownProblem = (name: string, place: number, known: readonly string[]): string => {
  const shown = looksLikeName.test(name) ? `column ${place} ("${name}")` : `column ${place}`;
  if (name === '') return `${shown} has no name; name it or delete it`;
  const nearest = nearestName(name, known);
  return nearest === undefined ? `${shown} is unknown` : `${shown} is unknown; did you mean "${nearest}"?`;
};

const unknownProblems = (names: readonly string[], { known, ignored = [] }: CsvColumns): string[] => {
  const unknown = [...names.entries()].filter(([, name]) => !known.includes(name) && !ignored.includes(name));
  const named = unknown.slice(0, unknownNamedMax).map(([index, name]) => unknownProblem(name, index + 1, known));
  const more = unknown.length - named.length;
  return more > 0 ? [...named, `${more} more unknown`] : named;
};

/** Throws a `CsvProblem` that names the unknown (the first ones), repeated or missing columns. */
const readHeader = (header: string, delimiter: Delimiter, columns: CsvColumns): readonly string[] => {
  const { known, required, requiredAny = [], ignored = [] } = columns;
  if (header.trim() === '') throw new CsvProblem(headerLine, `expected a header with the columns ${known.join(', ')}`);
  const names = namesIn(header, delimiter);
  const unknown = unknownProblems(names, columns);
  const repeated = [...known, ...ignored]
    .filter((name) => names.indexOf(name) !== names.lastIndexOf(name))
    .map((name) => `column "${name}" occurs twice`);
  const missing = required.filter((name) => !names.includes(name)).map((name) => `column "${name}" is missing`);
  if (requiredAny.length > 0 && !requiredAny.some((name) => names.includes(name))) {
    missing.push(`column ${requiredAny.map((name) => `"${name}"`).join(' or ')} is missing`);
  }
  const problems = [...unknown, ...repeated, ...missing];
  if (unknown.length > 0) problems.push(`known columns: ${known.join(', ')}`);
  if (problems.length > 0) throw new CsvProblem(headerLine, problems.join('; '));
  return names;
};

const headerBytesMax = 16 * 1024;

const lineEnd = /\r\n|\n|\r/;

/** Reads on until the header is whole. Returns it and the text from the beginning; a header that is too long is empty. */
const peekHeader = async (text: AsyncGenerator<string>) => {
  for (let start = ''; ; ) {
    const end = start.search(lineEnd);
    if (end > headerBytesMax || (end === -1 && start.length > headerBytesMax)) return { header: '', start };
    if (end !== -1) return { header: start.slice(0, end), start };
    const next = await text.next();
    if (next.done) return { header: start, start };
    start += next.value;
  }
};

// every field at its longest, and the columns of a result
const rowBytesMax = 8 * 1024;

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
