import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import type { Ignore } from '@balena/dockerignore';
import { repository } from './repository.ts';

// its types speak of a default export, and it is a function
const dockerignore: () => Ignore = createRequire(import.meta.url)('@balena/dockerignore');

const ignored = dockerignore().add(readFileSync(join(repository, '.dockerignore'), 'utf8'));

/** Whether a build sees a file or folder of the repository. */
export const isSeen = (source: string): boolean => {
  const path = relative(repository, source);
  return path === '' || !ignored.ignores(path);
};

/** Copies a file or folder of the repository as far as a build sees it. */
export const copyFromContext = async (source: string, target: string): Promise<void> => {
  if (!isSeen(source)) throw new Error(`.dockerignore keeps ${source} from the build`);
  await cp(source, target, { recursive: true, verbatimSymlinks: true, filter: isSeen });
};
