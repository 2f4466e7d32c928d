// `node scripts/run.mjs page-script [VERSION]`: builds the script for the advertiser's pages, which apps serve from core. Without a
// version, the newest one is written again, unless it was released: pages name that with its hash.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPageScript } from './page-script/build.ts';
import { refuse } from './read-options.ts';
import { newFiles } from './release/releases.ts';
import { root } from './start/data-folder.ts';

const folder = join(root, 'packages/core/src/pages/script');
const versionIn = (file: string): string => file.replace(/^leadback-(.*)\.json$/, '$1');
const numeric = new Intl.Collator('en', { numeric: true });
const newest = readdirSync(folder).map(versionIn).toSorted(numeric.compare).at(-1);

const version = process.argv[2] ?? newest ?? '';
const file = `leadback-${version}.json`;
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse('name the version, such as: page-script 1.1.0');
if (process.argv[2] === undefined && !(file in newFiles(root, 'scripts')))
  refuse(
    `${version} was released: name the version of the next release, and add it first in packages/core/src/pages/script.ts`,
  );

const text = await buildPageScript();
writeFileSync(join(folder, file), `${JSON.stringify({ version, text }, undefined, 2)}\n`);
process.stdout.write(`${file}: ${text.length} bytes\n`);
