// `node scripts/run.mjs platform-docs` writes the connection options of all platforms into their document.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectionTable } from '../apps/operator/src/commands/connection.ts';

const document = join(import.meta.dirname, '..', 'docs', 'connections.md');
const table = /(?<=<!-- begin: node scripts\/run\.mjs platform-docs writes this table -->\n)[^]*?(?=\n<!-- end -->)/;
writeFileSync(
  document,
  readFileSync(document, 'utf8').replace(table, () => connectionTable()),
);
