// `node scripts/run.mjs platform-docs` writes the connection options of all platforms into their document, and the URLs of
// their APIs into .env.example.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectionTable } from '../apps/operator/src/commands/connection.ts';
import { platformList } from '../packages/platforms/src/registry.ts';

const write = (path: string, part: RegExp, text: string): void => {
  const file = join(import.meta.dirname, '..', path);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(part, () => text),
  );
};

const urls = platformList.flatMap(({ env }) =>
  Object.entries(env).map(([name, { standard }]) => `${name}=${standard}\n`),
);
write(
  'docs/connections.md',
  /(?<=<!-- begin: node scripts\/run\.mjs platform-docs writes this table -->\n)[^]*?(?=\n<!-- end -->)/,
  connectionTable(),
);
write('.env.example', /(?<=\n# the URL of one platform(?:.*\n)(?:#.*\n)*)(?:[A-Z_]+=.*\n)+/, urls.join(''));
