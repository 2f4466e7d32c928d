import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsup';
import { root } from '../start/data-folder.ts';

/** The script for the advertiser's pages as browsers run it: one file, without what its readers need. */
export const buildPageScript = async (): Promise<string> => {
  const outDir = mkdtempSync(join(tmpdir(), 'leadback-page-script-'));
  try {
    await build({
      entry: { leadback: join(root, 'apps/landing/script/leadback.ts') },
      outDir,
      config: false,
      silent: true,
      format: 'iife',
      platform: 'browser',
      target: 'es2020',
      minify: true,
    });
    return readFileSync(join(outDir, 'leadback.global.js'), 'utf8');
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
};
