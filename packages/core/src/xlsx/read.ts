import { CsvProblem } from '../csv/text.ts';
import { type Book, bookOf, type Sheet } from './book.ts';
import { HeldBytes } from './memory.ts';
import { type Parts, partsOf } from './parts.ts';
import { rowsOf, type SheetRow } from './sheet.ts';

const zipMark = 'PK\u0003\u0004';
// a workbook with a password is in the container of the old ones
const oldMark = '\u00D0\u00CF\u0011\u00E0';
const markLength = 4;
// as much of a CSV file is looked at
const startBytesMax = 64 * 1024;

const quoted = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const lineOf = ({ cells }: SheetRow): string => `${cells.map(quoted).join(',')}\n`;

/** A sheet as CSV with commas, in UTF-8. Each row is at the line of its number. */
async function* csvOf(parts: Parts, book: Book, { part }: Sheet): AsyncGenerator<Uint8Array> {
  let line = 0;
  for await (const rows of rowsOf(parts, part, book)) {
    let text = '';
    for (const row of rows) {
      text += '\n'.repeat(row.number - line - 1) + lineOf(row);
      line = row.number;
    }
    yield Buffer.from(text);
  }
}

/** The beginning of a sheet, in which its header is looked for; empty if it has no value. */
const startOf = async (parts: Parts, book: Book, sheet: Sheet): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of csvOf(parts, book, sheet)) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > startBytesMax) break;
  }
  return Buffer.concat(pieces).toString();
};

interface SheetWanted {
  /** By its name, as somebody chose it. */
  readonly sheet: string | undefined;
  /** How much of what is needed the beginning of a sheet lacks. */
  readonly lacks: (start: string) => number;
}

/** The sheet that was chosen, or the first of those that lack the least. */
const chooseSheet = async (parts: Parts, book: Book, { sheet, lacks }: SheetWanted): Promise<Sheet> => {
  if (sheet !== undefined) {
    const chosen = book.sheets.find(({ name }) => name === sheet);
    if (!chosen) throw new CsvProblem(1, 'the workbook has no sheet of the chosen name that is shown; choose another');
    return chosen;
  }
  let best: { readonly one: Sheet; readonly lacking: number } | undefined;
  for (const one of book.sheets) {
    const start = await startOf(parts, book, one);
    if (start === '') continue;
    const lacking = lacks(start);
    if (best === undefined || lacking < best.lacking) best = { one, lacking };
    if (lacking === 0) break;
  }
  if (!best)
    throw new CsvProblem(1, 'no sheet of the workbook that is shown has a value; put the rows into its first sheet');
  return best.one;
};

/** The sheets of a workbook that are shown, and the one that is read. */
export interface Sheets {
  readonly names: readonly string[];
  readonly read: string;
}

export interface TableBytes {
  /** CSV, as it came or made of a workbook. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Of a workbook. */
  readonly sheets: Sheets | undefined;
  /** Gives back what a workbook holds of the memory. */
  readonly [Symbol.dispose]: () => void;
}

const openWorkbook = async (chunks: AsyncIterable<Uint8Array>, wanted: SheetWanted): Promise<TableBytes> => {
  const held = new HeldBytes();
  try {
    const parts = await partsOf(chunks, held);
    const book = await bookOf(parts, held);
    const sheet = await chooseSheet(parts, book, wanted);
    return {
      bytes: csvOf(parts, book, sheet),
      sheets: { names: book.sheets.map(({ name }) => name), read: sheet.name },
      [Symbol.dispose]: () => held[Symbol.dispose](),
    };
  } catch (error) {
    held[Symbol.dispose]();
    throw error;
  }
};

/** Finds by its first bytes whether a file is a workbook (.xlsx), whatever it is called, and makes CSV of one sheet of it. */
export const tableBytesOf = async (chunks: AsyncIterable<Uint8Array>, wanted: SheetWanted): Promise<TableBytes> => {
  const iterator = chunks[Symbol.asyncIterator]();
  let first: Uint8Array = new Uint8Array();
  let isDone = false;
  while (first.length < markLength && !isDone) {
    const next = await iterator.next();
    if (next.done) isDone = true;
    else first = first.length === 0 ? next.value : Buffer.concat([first, next.value]);
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield first;
    if (!isDone) yield* { [Symbol.asyncIterator]: () => iterator };
  }
  const mark = Buffer.from(first.subarray(0, markLength)).toString('latin1');
  if (mark === oldMark) {
    throw new CsvProblem(
      1,
      'a workbook with a password, or in the format before 2007; save it as .xlsx without a password, or as "CSV UTF-8"',
    );
  }
  if (mark === zipMark) return openWorkbook(whole(), wanted);
  return { bytes: whole(), sheets: undefined, [Symbol.dispose]: () => {} };
};
