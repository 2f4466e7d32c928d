import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import type { Ignore } from '@balena/dockerignore';
import { repository } from './repository.ts';

// its types declare a default export, but the module is a function
const dockerignore: () => Ignore = createRequire(import.meta.url)('@balena/dockerignore');

const ignored = dockerignore().add(readFileSync(join(repository, '.dockerignore'), 'utf8'));

/** Whether .dockerignore leaves a file or folder in the build context. */
export const isSeen = (source: string): boolean => {
  const path = relative(repository, source);
  return path === '' || !ignored.ignores(path);
};

/** Copies a file or folder without what .dockerignore excludes. Throws if .dockerignore excludes the source itself. */
export const copyFromContext = async (source: string, target: string): Promise<void> => {
  if (!isSeen(source)) throw new Error(`.dockerignore excludes ${source}`);
  await cp(source, target, { recursive: true, verbatimSymlinks: true, filter: isSeen });
};
