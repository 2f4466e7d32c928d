import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Writes a file in a folder of its own; returns its path. */
export const givenFile = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(await mkdtemp(join(inject('temporaryFolder'), 'files-')), name);
  await writeFile(path, content);
  return path;
};
