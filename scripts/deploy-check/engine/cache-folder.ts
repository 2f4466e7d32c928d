import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What later runs use again: the engine, its images, base systems. */
export const cacheFolder: string = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'leadback',
  'deploy-check',
);

export const inCache = (...names: readonly string[]): string => {
  const folder = join(cacheFolder, ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
};
