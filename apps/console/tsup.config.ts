import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import bundle from '../../tsup.config.ts';

/** Adds the built web part to the common bundle. */
export default defineConfig(({ outDir = 'dist' }) => ({
  ...bundle,
  onSuccess: async () => {
    await cp('dist-web', join(outDir, 'web'), { recursive: true });
  },
}));
