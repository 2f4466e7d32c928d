import { isUtf8 } from 'node:buffer';
import { CsvProblem } from './csv-problem.ts';

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
export async function* decodeText(chunks: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<string> {
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
