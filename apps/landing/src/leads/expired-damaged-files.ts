import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from '../disk/bounded-disk.ts';
import { errorCode } from '../disk/error-code.ts';

// As long as the policy in deploy/rabbitmq/definitions.json keeps dead-lettered leads. Both have personal data.
const daysKept = 30;

const isExpired = async (path: string, disk: Disk): Promise<boolean> => {
  try {
    return Date.now() - (await disk(() => stat(path))).mtimeMs > daysKept * 86_400_000;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
};

/** Deletes files of leads that could not be recorded 30 days after they were written. Returns how many. */
export const deleteExpiredDamagedFiles = async (folder: string, disk: Disk): Promise<number> => {
  let deleted = 0;
  for (const name of await disk(() => readdir(folder))) {
    const path = join(folder, name);
    if (!name.endsWith('.damaged') || !(await isExpired(path, disk))) continue;
    await disk(() => rm(path, { force: true }));
    deleted += 1;
  }
  return deleted;
};
