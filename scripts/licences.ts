// `node scripts/run.mjs licences`: writes the licences of all libraries that ship with the apps to dist/licences.md, and
// fails if one is not allowed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from './start/data-folder.ts';

/** Licences that permit redistribution in the bundles, with their text and the author's name. */
const allowed = new Set([
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'MIT',
  'PSF-2.0',
  'Unlicense',
]);

/** One allowed licence of an OR expression is enough; other expressions need a review. */
const isAllowed = (licence: string): boolean =>
  licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((one) => allowed.has(one));

const licenceSchema = z.union([
  z.object({ expression: z.string() }).transform(({ expression }) => expression),
  z.object({ license: z.object({ id: z.string() }) }).transform(({ license }) => license.id),
  z.object({ license: z.object({ name: z.string() }) }).transform(({ license }) => license.name),
]);
const componentSchema = z.object({
  group: z.string().optional(),
  name: z.string(),
  version: z.string(),
  licenses: z.array(licenceSchema).default([]),
});
const billSchema = z.object({ components: z.array(componentSchema) });

// `pnpm licenses list` leaves out the libraries of the packages that the apps use
const sbom = 'sbom --prod --filter ./apps/* --filter ./packages/platform-sandbox --sbom-format cyclonedx';
const bill: unknown = JSON.parse(
  execFileSync('pnpm', sbom.split(' '), { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }),
);
const libraries = billSchema
  .parse(bill)
  .components.filter(({ group }) => group !== '@leadback')
  .map(({ group, name, version, licenses }) => ({
    name: group === undefined ? name : `${group}/${name}`,
    version,
    licence: licenses.join(' AND ') || 'none named',
  }))
  .toSorted((one, other) => (`${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1));

const complain = (text: string): void => {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
};

for (const { name, version, licence } of libraries.filter((library) => !isAllowed(library.licence))) {
  complain(
    `${name} ${version} has the licence ${licence}, which is not allowed: use another library, or, if the licence ` +
      'permits redistribution in a closed product, allow it in scripts/licences.ts.',
  );
}
const page = [
  '# Third-party licences',
  '',
  'The texts are in `dist/THIRD-PARTY-LICENSES` of each bundle.',
  '',
  '| library | version | licence |',
  '|---|---|---|',
  ...libraries.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
  '',
].join('\n');
const folder = join(root, 'dist');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'licences.md'), page);
process.stdout.write(`${libraries.length} libraries: ${join(folder, 'licences.md')}\n`);
