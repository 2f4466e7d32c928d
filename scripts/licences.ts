// `npm run licences`: lists the licence of every library that comes with the apps, in docs/licences.md, and fails where one
// is not on the list of those that we may pass on. `-- --check` writes nothing, and fails as well where the list is old.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './start/data-folder.ts';
import { licenceList, withOtherLicence } from './supply-chain/licence-list.ts';
import { productionLicences } from './supply-chain/production-licences.ts';

const file = join(root, 'docs', 'licences.md');

const complain = (text: string): void => {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
};

const libraries = productionLicences();
for (const { name, version, licence } of withOtherLicence(libraries)) {
  complain(
    `${name} ${version} has the licence ${licence}: take another library, or, where we may pass it on ` +
      'within a closed product, allow it in scripts/supply-chain/licence-list.ts.',
  );
}
const list = licenceList(libraries);
if (!process.argv.includes('--check')) {
  writeFileSync(file, list);
  process.stdout.write(`${libraries.length} libraries: ${file}\n`);
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== list) {
  complain('docs/licences.md is not what the apps come with now: npm run licences writes it anew.');
}
