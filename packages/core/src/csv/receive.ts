import { createHash } from 'node:crypto';
import { CsvProblem, type CsvColumns, type CsvFile, type CsvLimits, type CsvRow, readCsv } from './read.ts';

/** Where the rows of a file are stored while it is received. */
export interface FileStore {
  /** Called once the header has been read. Returns an id for the file. */
  begin(file: Pick<CsvFile, 'columns' | 'delimiter'>): Promise<number>;
  add(id: number, rows: readonly CsvRow[]): Promise<void>;
  /** Called if all of the file has been read. `digest`: its SHA-256. */
  finish(id: number, file: { readonly digest: Buffer; readonly rows: number; readonly bytes: number }): Promise<void>;
  /** Called if the file cannot be read to its end, or if it is not certain that `finish` worked: then it must not undo it. */
  refuse(id: number, message: string): Promise<void>;
}

export interface ReceivedFile {
  readonly id: number;
  /** Why the file was refused. */
  readonly problem: string | undefined;
}

const cutOff = 'the upload ended before the end of the file; send it again';

/**
 * Stores the rows of a CSV file, slice by slice. Throws a `CsvProblem` if the header is wrong; then nothing was stored.
 * A problem in a later line is returned. Passes on the failure of the stream or the store; then the file is refused, if
 * the store allows.
 */
export const receiveFile = async (
  bytes: AsyncIterable<Uint8Array>,
  columns: CsvColumns,
  limits: CsvLimits,
  store: FileStore,
): Promise<ReceivedFile> => {
  const hash = createHash('sha256');
  let size = 0;
  async function* hashed() {
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  const { slices, ...file } = await readCsv(hashed(), columns, limits);
  const id = await store.begin(file);
  try {
    let rows = 0;
    for await (const slice of slices) {
      await store.add(id, slice);
      rows += slice.length;
    }
    await store.finish(id, { digest: hash.digest(), rows, bytes: size });
    return { id, problem: undefined };
  } catch (error) {
    const isProblem = error instanceof CsvProblem;
    const refused = store.refuse(id, isProblem ? error.message : cutOff);
    if (!isProblem) {
      refused.catch(() => {}); // the first failure matters; the store removes what is left later
      throw error;
    }
    await refused;
    return { id, problem: error.message };
  }
};
