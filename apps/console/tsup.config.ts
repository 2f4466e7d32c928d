import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import bundle from '../../tsup.config.ts';
import { builtWebFolder } from './src/web/web-folder.ts';

/** Adds the web part, if it was built, to the common bundle. */
export default defineConfig(({ outDir = 'dist' }) => ({
  ...bundle,
  onSuccess: async () => {
    if (existsSync(builtWebFolder)) await cp(builtWebFolder, join(outDir, 'web'), { recursive: true });
  },
}));
