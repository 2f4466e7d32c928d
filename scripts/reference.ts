// `node scripts/run.mjs reference` writes the pages of docs/reference, and the URLs of platforms' APIs into .env.example.
// tests/docs/reference.test.ts finds a page that is not current.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platformList } from '../packages/platforms/src/registry.ts';
import { referencePages } from './reference/pages.ts';
import { root } from './start/data-folder.ts';

for (const [path, text] of Object.entries(referencePages())) writeFileSync(join(root, path), text);

const example = join(root, '.env.example');
const urls = platformList.flatMap(({ env }) =>
  Object.entries(env).map(([name, { standard }]) => `${name}=${standard}\n`),
);
writeFileSync(
  example,
  readFileSync(example, 'utf8').replace(/(?<=\n# the URL of one platform(?:.*\n)(?:#.*\n)*)(?:[A-Z_]+=.*\n)+/, () =>
    urls.join(''),
  ),
);
