import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import bundle from '../../tsup.config.ts';
import { contentFiles } from './src/documentation/content.ts';

const copies = Object.entries(contentFiles);

/** Adds the documents of the API documentation to the common bundle. */
export default defineConfig(({ outDir = 'dist' }) => ({
  ...bundle,
  onSuccess: async () => {
    await Promise.all(copies.map(([name, path]) => cp(join('..', '..', path), join(outDir, 'docs', name))));
  },
}));
