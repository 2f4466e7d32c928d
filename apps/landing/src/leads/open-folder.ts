import { mkdir } from 'node:fs/promises';
import { errorCode } from '../disk/error-code.ts';
import { folderIdOf } from './folder-id.ts';

// ENOENT: mkdir below a read-only folder
const notWritable = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT'];

/** Creates the folder if it is missing, and returns its id. Throws with the remedy if this process may not write to it. */
export const openFolder = async (folder: string): Promise<string> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await folderIdOf(folder);
  } catch (error) {
    const code = String(errorCode(error));
    if (!notWritable.includes(code)) throw error;
    const remedy =
      'Give LEAD_SPOOL_FOLDER to the user that runs landing (in the image: chown -R 1000:1000), or set another folder';
    throw new Error(`cannot write to ${folder} (${code}). ${remedy}`, { cause: error });
  }
};
