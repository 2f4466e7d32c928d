// `node scripts/run.mjs reference` writes the pages of docs/reference, and .env.example.
// tests/docs/reference.test.ts finds a page that is not current.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from './reference/pages.ts';
import { envExample } from './reference/settings.ts';
import { root } from './start/data-folder.ts';

for (const [path, text] of Object.entries(referencePages())) writeFileSync(join(root, path), text);
writeFileSync(join(root, '.env.example'), envExample());
