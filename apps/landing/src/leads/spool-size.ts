import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from '../disk/bounded-disk.ts';
import { errorCode } from '../disk/error-code.ts';

/** What the files of a folder take on its disk, as far as this process knows. */
export interface SpoolSize {
  readonly bytes: () => number;
  /** A file of this length was written. Returns what it takes. */
  readonly wrote: (length: number) => number;
  /** A file was deleted: the folder has more room than is known. */
  readonly deleted: () => void;
  /** Whether a file was deleted since the last measurement. */
  readonly isOutdated: () => boolean;
  /** Reads the sizes of all files, or waits for the reading that has begun. Rejects if the disk hangs. */
  readonly measure: () => Promise<void>;
}

// of most file systems
const blockBytes = 4_096;
const statBlockBytes = 512;

/** Starts at zero. Between two measurements only the files of this process are added, not those of others. */
export const spoolSize = (folder: string, disk: Disk): SpoolSize => {
  let bytes = 0;
  let written = 0;
  let isOutdated = false;
  let measuring: Promise<void> | undefined;

  const sizeOf = async (name: string): Promise<number> => {
    try {
      return (await disk(() => stat(join(folder, name)))).blocks * statBlockBytes;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return 0;
      throw error;
    }
  };

  const measureAlone = async (): Promise<void> => {
    const before = written;
    isOutdated = false;
    let sum = 0;
    try {
      // one at a time: visitors may be waiting for the disk
      for (const name of await disk(() => readdir(folder))) sum += await sizeOf(name);
    } catch (error) {
      isOutdated = true;
      throw error;
    }
    bytes = sum;
    // what was written meanwhile may be in the sum as well, until it is measured again
    written -= before;
  };

  return {
    bytes: () => bytes + written,
    wrote(length) {
      const taken = Math.ceil(length / blockBytes) * blockBytes;
      written += taken;
      return taken;
    },
    deleted() {
      isOutdated = true;
    },
    isOutdated: () => isOutdated,
    // One reading at a time: two would both subtract what was written before them, and the folder would seem empty.
    measure() {
      measuring ??= measureAlone().finally(() => {
        measuring = undefined;
      });
      return measuring;
    },
  };
};
