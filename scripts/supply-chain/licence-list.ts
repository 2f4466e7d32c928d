import type { Licensed } from './production-licences.ts';

/** Under these a library may be passed on inside our bundles, with its text and its author's name. */
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

/** Of several to choose from, one will do; anything more intricate has to be read. */
const isAllowed = ({ licence }: Licensed): boolean =>
  licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((one) => allowed.has(one));

/** Those whose licence somebody has to read first. */
export const withOtherLicence = (libraries: readonly Licensed[]): Licensed[] =>
  libraries.filter((library) => !isAllowed(library));

/** The list as it is committed: Markdown. */
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
