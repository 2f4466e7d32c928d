import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../disk/error-code.ts';

/** Reads the id of the folder. The first process to open the folder writes it. */
export const folderIdOf = async (folder: string): Promise<string> => {
  const path = join(folder, 'id');
  await writeFile(path, randomUUID(), { flag: 'wx' }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  // empty while another process writes it: then this process uses its own id until the next start
  return (await readFile(path, 'utf8')) || randomUUID();
};
