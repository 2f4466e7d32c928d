import { CsvProblem } from '../csv/text.ts';
import { bookOf } from './book.ts';
import { HeldBytes } from './memory.ts';
import { partsOf } from './parts.ts';
import { rowsOf, type SheetRow } from './sheet.ts';

const zipMark = 'PK\u0003\u0004';
// a workbook with a password is in the container of the old ones
const oldMark = '\u00D0\u00CF\u0011\u00E0';
const markLength = 4;

const quoted = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const lineOf = ({ cells }: SheetRow): string => `${cells.map(quoted).join(',')}\n`;

/** The first sheet with a value as CSV with commas, in UTF-8. Each row is at the line of its number. */
async function* csvOf(chunks: AsyncIterable<Uint8Array>, held: HeldBytes): AsyncGenerator<Uint8Array> {
  const parts = await partsOf(chunks, held);
  const book = await bookOf(parts, held);
  for (const sheet of book.sheets) {
    let line = 0;
    for await (const rows of rowsOf(parts, sheet, book)) {
      for (const row of rows) {
        if (row.number > line + 1) yield Buffer.alloc(row.number - line - 1, '\n');
        line = row.number;
        yield Buffer.from(lineOf(row));
      }
    }
    if (line > 0) return;
  }
  throw new CsvProblem(1, 'no sheet of the workbook that is shown has a value; put the rows into its first sheet');
}

export interface TableBytes {
  /** CSV, as it came or made of a workbook. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly isWorkbook: boolean;
  /** Gives back what a workbook holds of the memory. */
  readonly [Symbol.dispose]: () => void;
}

/** Finds by its first bytes whether a file is a workbook (.xlsx), whatever it is called, and makes CSV of it. */
export const tableBytesOf = async (chunks: AsyncIterable<Uint8Array>): Promise<TableBytes> => {
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
  const isWorkbook = mark === zipMark;
  const held = new HeldBytes();
  return {
    bytes: isWorkbook ? csvOf(whole(), held) : whole(),
    isWorkbook,
    [Symbol.dispose]: () => held[Symbol.dispose](),
  };
};
