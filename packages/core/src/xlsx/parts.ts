import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { CsvProblem } from '../csv/text.ts';
import type { HeldBytes } from './memory.ts';

const mebibyte = 2 ** 20;
const fileBytesMax = 20 * mebibyte;

const bounds = {
  entries: 2_000,
  partBytes: 256 * mebibyte,
  allBytes: 512 * mebibyte,
  /** Sheets pack to a tenth or a fiftieth, and DEFLATE to no less than a thousandth. */
  ratio: 200,
  /** Below it, the ratio does not matter. */
  ratioFrom: mebibyte,
};

const saveAgain = 'save it again as .xlsx, or as "CSV UTF-8"';

export const damaged = () => new CsvProblem(1, `the workbook is damaged; ${saveAgain}`);
export const notWorkbook = () => new CsvProblem(1, `not a workbook that can be read; ${saveAgain}`);
const tooMuch = () =>
  new CsvProblem(
    1,
    'the workbook unpacks to too much; copy the rows alone into a new one, or save them as "CSV UTF-8"',
  );

/** The parts of a workbook, by the names in it. */
export interface Parts {
  readonly names: readonly string[];
  /** Unpacks a part piece by piece. Throws a `CsvProblem` if there is none, or if it is damaged. */
  readonly read: (name: string) => AsyncGenerator<Uint8Array>;
}

/** Looks at what a file would unpack to, before anything of it is unpacked. */
const entriesOf = async (file: ZipFile): Promise<ReadonlyMap<string, Entry>> => {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  for await (const entry of file.eachEntry()) {
    const { uncompressedSize: size, compressedSize } = entry;
    bytes += size;
    const isBomb = size > bounds.ratioFrom && size > compressedSize * bounds.ratio;
    if (isBomb || size > bounds.partBytes || bytes > bounds.allBytes || entries.size >= bounds.entries) throw tooMuch();
    if (entry.isEncrypted()) throw new CsvProblem(1, 'the workbook has a password; remove it and save the file again');
    entries.set(entry.fileName, entry);
  }
  return entries;
};

const bufferOf = async (chunks: AsyncIterable<Uint8Array>, held: HeldBytes): Promise<Buffer> => {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > fileBytesMax) {
      const most = fileBytesMax / mebibyte;
      throw new CsvProblem(1, `the workbook is larger than ${most} MiB; split it, or save it as "CSV UTF-8"`);
    }
    held.add(chunk.length);
    all.push(chunk);
  }
  return Buffer.concat(all, size);
};

/** Reads the directory of a file, which stands at its end. Throws a `CsvProblem` for what nobody should unpack. */
export const partsOf = async (chunks: AsyncIterable<Uint8Array>, held: HeldBytes): Promise<Parts> => {
  const buffer = await bufferOf(chunks, held);
  let file: ZipFile;
  let entries: ReadonlyMap<string, Entry>;
  try {
    // a part that unpacks to more than its entry says is an error
    file = await fromBufferPromise(buffer, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
    entries = await entriesOf(file);
  } catch (error) {
    throw error instanceof CsvProblem ? error : damaged();
  }
  async function* read(name: string): AsyncGenerator<Uint8Array> {
    const entry = entries.get(name);
    if (!entry) throw damaged();
    try {
      for await (const chunk of await file.openReadStreamPromise(entry)) {
        if (chunk instanceof Uint8Array) yield chunk;
      }
    } catch {
      throw damaged();
    }
  }
  return { names: [...entries.keys()], read };
};
