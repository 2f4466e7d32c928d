import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import { thirdPartyLicenses } from '../../scripts/bundle/third-party-licenses.ts';
import bundle from '../../tsup.config.ts';
import { sdkFiles } from './src/documentation/sdk-files.ts';
import { rendererFiles, rendererFolder } from './src/documentation/renderer-folder.ts';

/** Adds the files of the API documentation and the SDKs to the common bundle. */
export default defineConfig(({ outDir = 'dist' }) => ({
  ...bundle,
  esbuildPlugins: [thirdPartyLicenses([rendererFolder()])],
  onSuccess: async () => {
    await Promise.all(rendererFiles.map((file) => cp(join(rendererFolder(), file), join(outDir, 'docs', file))));
    await Promise.all(
      sdkFiles.map((file) => cp(join('src', 'documentation', 'sdk', file), join(outDir, 'sdk-files', file))),
    );
  },
}));
