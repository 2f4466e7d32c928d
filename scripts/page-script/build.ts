import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../start/data-folder.ts';

/** The script for the advertiser's pages as browsers run it: one file, without what its readers need. */
export const buildPageScript = async (): Promise<string> => {
  const entry = join(root, 'apps/landing/script/leadback.ts');
  const built = await build({
    configFile: false,
    logLevel: 'error',
    // its minifier makes less of it than that of esbuild
    build: { target: 'es2020', write: false, lib: { entry, name: 'leadback', formats: ['iife'] } },
  });
  const [file] = Array.isArray(built) ? built.flatMap(({ output }) => output) : [];
  if (file?.type !== 'chunk') throw new Error('the build made no script');
  return file.code;
};
