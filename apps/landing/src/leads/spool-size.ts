import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from '../disk/bounded-disk.ts';
import { errorCode } from '../disk/error-code.ts';

/** What the files of a folder take on its disk, as far as this process knows. */
export interface SpoolSize {
  readonly bytes: () => number;
  /** A file of this length was written. */
  readonly wrote: (length: number) => void;
  /** Reads the sizes of all files. Rejects if the disk hangs. */
  readonly measure: () => Promise<void>;
}

// of most file systems
const blockBytes = 4_096;
const statBlockBytes = 512;

/** Starts at zero. Between two measurements only the files of this process are added, not those of others. */
export const spoolSize = (folder: string, disk: Disk): SpoolSize => {
  let bytes = 0;
  let written = 0;

  const sizeOf = async (name: string): Promise<number> => {
    try {
      return (await disk(() => stat(join(folder, name)))).blocks * statBlockBytes;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return 0;
      throw error;
    }
  };

  return {
    bytes: () => bytes + written,
    wrote(length) {
      written += Math.ceil(length / blockBytes) * blockBytes;
    },
    async measure() {
      const before = written;
      let sum = 0;
      // one at a time: visitors may be waiting for the disk
      for (const name of await disk(() => readdir(folder))) sum += await sizeOf(name);
      bytes = sum;
      // what was written meanwhile may be in the sum as well, until it is measured again
      written -= before;
    },
  };
};
