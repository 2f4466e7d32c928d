import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { repository } from './repository.ts';

/** Every folder with a Dockerfile, such as `apps/api`. */
export const imageFolders: readonly string[] = globSync('{apps,packages}/*/Dockerfile', { cwd: repository })
  .map((file) => dirname(file))
  .toSorted((a, b) => a.localeCompare(b));
