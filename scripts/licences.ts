// `npm run licences`: writes the licences of all libraries that ship with the apps to docs/licences.md, and fails if one
// is not allowed. `-- --check` writes nothing and also fails if the list is outdated.
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
    `${name} ${version} has the licence ${licence}, which is not allowed: use another library, or, if the licence ` +
      'permits redistribution in a closed product, allow it in scripts/supply-chain/licence-list.ts.',
  );
}
const list = licenceList(libraries);
if (!process.argv.includes('--check')) {
  writeFileSync(file, list);
  process.stdout.write(`${libraries.length} libraries: ${file}\n`);
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== list) {
  complain('docs/licences.md is outdated. Run: npm run licences');
}
