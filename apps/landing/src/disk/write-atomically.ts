import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a file atomically: after a crash or power failure it is complete or absent, or as it was before. */
export const writeAtomically = async (folder: string, name: string, content: string): Promise<void> => {
  // several processes may write files of one name
  const unfinished = join(folder, `${name}.${randomUUID()}.unfinished`);
  try {
    await using file = await open(unfinished, 'wx', 0o600);
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await rename(unfinished, join(folder, name));
  await using entries = await open(folder);
  await entries.sync();
};
