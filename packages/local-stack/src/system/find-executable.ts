import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const isExecutable = (file: string) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export const pathFolders = (): string[] => (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);

/** The path of the first of the names that is an executable in one of the folders. */
export const findExecutable = (
  names: readonly string[],
  folders: readonly string[] = pathFolders(),
): string | undefined => names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
