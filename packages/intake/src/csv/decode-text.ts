import { isUtf8 } from 'node:buffer';
import { CsvProblem } from './csv-problem.ts';

const newline = 0x0a;
const encodingProblem = 'not valid UTF-8; save the file as "CSV UTF-8"';

// the rest of a character that began in the chunk before
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** How many lines of a chunk precede its first line that is not text. */
const linesBeforeProblem = (chunk: Uint8Array): number => {
  let start = 0;
  while (start < 3 && isContinuation(chunk[start])) start++;
  for (let lines = 0; ; lines++) {
    const end = chunk.indexOf(newline, start);
    const line = chunk.subarray(start, end === -1 ? undefined : end);
    if (end === -1 || !isUtf8(line) || line.includes(0)) return lines;
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
  let bytes = 0;
  let lines = 1;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new CsvProblem(lines, `the file is larger than ${bytesMax / 2 ** 20} MiB; split it`);
    try {
      if (chunk.includes(0)) throw new TypeError('has a NUL');
      yield decoder.decode(chunk, { stream: true });
    } catch (error) {
      if (error instanceof TypeError) throw new CsvProblem(lines + linesBeforeProblem(chunk), encodingProblem);
      throw error;
    }
    lines += countLines(chunk);
  }
  try {
    decoder.decode();
  } catch {
    throw new CsvProblem(lines, encodingProblem);
  }
}
