// `node scripts/run.mjs platform-docs` writes the connection options of all platforms into the operator guide.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectionTable } from '../apps/operator/src/connection-table.ts';

const guide = join(import.meta.dirname, '..', 'docs', 'operator.md');
const table = /(?<=<!-- begin: node scripts\/run\.mjs platform-docs writes this table -->\n)[^]*?(?=\n<!-- end -->)/;
writeFileSync(
  guide,
  readFileSync(guide, 'utf8').replace(table, () => connectionTable()),
);
