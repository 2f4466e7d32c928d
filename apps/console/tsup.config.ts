import { resolve } from 'node:path';
import { defineConfig } from 'tsup';
import { build } from 'vite';
import bundle from '../../tsup.config.ts';

/** Adds the web part to the common bundle. */
export default defineConfig(({ outDir = 'dist' }) => ({
  ...bundle,
  onSuccess: async () => {
    await build({ logLevel: 'warn', build: { outDir: resolve(outDir, 'web') } });
  },
}));
