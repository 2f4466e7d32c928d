import { isUtf8 } from 'node:buffer';

/** A file that cannot be read. The message names the line and the fix, and never quotes a cell. */
export class CsvProblem extends Error {
  override readonly name = 'CsvProblem';
  readonly line: number;

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
    this.line = line;
  }
}

export const encodings = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof encodings)[number];

const newline = 0x0a;
const notText = 'not valid UTF-8; save the file as "CSV UTF-8"';

/** The encoding that a label of the web names, such as latin1; undefined: none that we read. */
export const encodingNamed = (label: string): Encoding | undefined => {
  try {
    const { encoding } = new TextDecoder(label.trim());
    return encodings.find((one) => one === encoding);
  } catch {
    return undefined;
  }
};

const markOf = ([first, second, third]: Uint8Array): Encoding | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
};

/** UTF-16 without a byte order mark: no other text has NUL beside its first letter. */
const wideOf = ([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): Encoding | undefined => {
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 ? 'utf-16be' : undefined;
};

const sequenceLength = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2);

/**
 * Of bytes that begin with ASCII: what the first other character is in. One that is no UTF-8 is of Windows-1252, which spreadsheets save in
 * Latin America. `undefined`: there is none, or it is not whole.
 */
const firstOf = (bytes: Uint8Array, isWhole: boolean): Encoding | undefined => {
  const at = bytes.findIndex((byte) => byte >= 0x80);
  if (at === -1) return undefined;
  const sequence = bytes.subarray(at, at + sequenceLength(bytes[at] ?? 0));
  if (isUtf8(sequence)) return 'utf-8';
  const mayGoOn =
    sequence.length < sequenceLength(bytes[at] ?? 0) && sequence.subarray(1).every((byte) => byte >= 0x80);
  return mayGoOn && !isWhole ? undefined : 'windows-1252';
};

const countLines = (chunk: Uint8Array): number => {
  let lines = 0;
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines++;
  return lines;
};

// the rest of a character that began in the chunk before
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where the first line of a chunk that is not UTF-8 begins. */
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

async function* withEnd(chunks: AsyncIterable<Uint8Array>) {
  for await (const chunk of chunks) yield { chunk, isLast: false };
  yield { chunk: new Uint8Array(), isLast: true };
}

export interface FileText {
  readonly parts: AsyncGenerator<string>;
  /** What was found so far; `undefined`: ASCII, which is the same in all. */
  readonly encoding: () => Encoding | undefined;
}

/**
 * Decodes a file: by its byte order mark, else as `declared`, else UTF-16 by its NULs, else UTF-8 if its first letter that is not ASCII is, else
 * Windows-1252. Throws a `CsvProblem` for what is not text in it, and after `bytesMax` bytes.
 */
export const textOf = (
  chunks: AsyncIterable<Uint8Array>,
  { bytesMax, declared }: { readonly bytesMax: number; readonly declared?: Encoding | undefined },
): FileText => {
  let encoding: Encoding | undefined;
  async function* parts(): AsyncGenerator<string> {
    let size = 0;
    let lines = 1;
    let decoder: InstanceType<typeof TextDecoder> | undefined;
    let held: Uint8Array = new Uint8Array();

    const decoded = (chunk: Uint8Array, isLast: boolean): string => {
      const isWide = encoding === 'utf-16le' || encoding === 'utf-16be';
      try {
        if (!isWide && chunk.includes(0)) throw new TypeError('NUL');
        decoder ??= new TextDecoder(encoding ?? 'utf-8', { fatal: true });
        const text = decoder.decode(chunk, { stream: !isLast });
        if (isWide && text.includes('\0')) throw new TypeError('NUL');
        return text;
      } catch (error) {
        if (isWide) throw new CsvProblem(lines, `not valid ${encoding}; save the file as "CSV UTF-8"`);
        throw error;
      }
    };

    let isFirst = true;
    for await (const { chunk, isLast } of withEnd(chunks)) {
      size += chunk.length;
      if (size > bytesMax) throw new CsvProblem(lines, `the file is larger than ${bytesMax / 2 ** 20} MiB; split it`);
      let bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      held = new Uint8Array();
      if (isFirst) {
        if (bytes.length < 4 && !isLast) {
          held = bytes;
          continue;
        }
        encoding = markOf(bytes) ?? declared ?? wideOf(bytes);
        isFirst = false;
      }
      if (encoding === undefined) {
        encoding = firstOf(bytes, isLast);
        if (encoding === undefined && !isLast) {
          // a character that is cut waits for its rest
          const at = bytes.findIndex((byte) => byte >= 0x80);
          if (at !== -1) {
            held = bytes.subarray(at);
            bytes = bytes.subarray(0, at);
          }
          if (bytes.includes(0)) encoding = 'utf-8';
        }
        if (encoding === undefined) {
          if (bytes.includes(0)) encoding = 'utf-8';
          else {
            // the decoder is chosen with the first letter that is not ASCII
            yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
            lines += countLines(bytes);
            continue;
          }
        }
      }
      let text: string;
      try {
        text = decoded(bytes, isLast);
      } catch (error) {
        if (error instanceof CsvProblem) throw error;
        // first what comes before: the header must be readable, whatever the size of chunks
        const end = encoding === 'windows-1252' ? bytes.indexOf(0) : startOfProblem(bytes);
        const before = bytes.subarray(0, end);
        yield new TextDecoder(encoding).decode(before);
        throw new CsvProblem(lines + countLines(before), notText);
      }
      yield text;
      lines += encoding === 'utf-16le' || encoding === 'utf-16be' ? text.split('\n').length - 1 : countLines(bytes);
    }
  }
  return { parts: parts(), encoding: () => encoding };
};
