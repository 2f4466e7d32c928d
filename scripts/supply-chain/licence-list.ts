import type { Licensed } from './production-licences.ts';

/** Licences that permit redistribution in the bundles, with their text and the author's name. */
const allowed = new Set([
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Unlicense',
]);

/** One allowed licence of an OR expression is enough; other expressions need a review. */
const isAllowed = ({ licence }: Licensed): boolean =>
  licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((one) => allowed.has(one));

/** The libraries whose licences need a review. */
export const withOtherLicence = (libraries: readonly Licensed[]): Licensed[] =>
  libraries.filter((library) => !isAllowed(library));

/** The content of docs/licences.md. */
export const licenceList = (libraries: readonly Licensed[]): string =>
  [
    '# Licences of what comes with the apps',
    '',
    'Made by `npm run licences`, which `npm test` repeats. The texts are in `dist/THIRD-PARTY-LICENSES` of each bundle.',
    '',
    '| library | version | licence |',
    '|---|---|---|',
    ...libraries.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
    '',
  ].join('\n');
