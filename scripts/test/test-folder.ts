import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
// all test databases take five
const bytesFree = 8 * 1024 ** 3;

const hasRoomInMemory = (): boolean => {
  if (!existsSync(memory) || process.availableMemory() < 1.5 * bytesFree) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= bytesFree;
};

/**
 * A folder for the servers of a round of tests: in memory if that has room, because to create a database takes five to ten
 * times as much of a processor on a disk.
 */
export const testFolder = (name: string): string =>
  join(hasRoomInMemory() ? memory : tmpdir(), `leadback-test-${process.pid}-${name}`);
