import { defineConfig } from 'tsup';
import bundle from '../../tsup.config.ts';

/** Renders the documentation of the API beside the common bundle. */
export default defineConfig(({ outDir = 'dist' }) => ({
  ...bundle,
  onSuccess: `node src/documentation/write-documents.ts '${outDir}/docs'`,
}));
