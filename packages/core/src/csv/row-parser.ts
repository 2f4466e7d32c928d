import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Parser, parse } from 'csv-parse';
import type { Delimiter } from '@leadback/domain';

// every field at its longest, and the columns of a result
export const rowBytesMax = 8 * 1024;

// some milliseconds of work even if each row is a single delimiter; other requests are served in between
const bytesAtOnce = 4 * 1024;

export interface RowParserOptions {
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
export async function* parseRows(text: AsyncIterable<string>, options: RowParserOptions): AsyncGenerator<number> {
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
