import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Where the version stands besides the package.json of the root, which is the one that counts. */
const places: readonly (readonly [glob: string, pattern: RegExp])[] = [
  ['{tests,{apps,packages,examples}/*}/package.json', /(?<=^ {2}"version": ")[^"]+/gm],
  ['apps/api/src/documentation/api-document.ts', /(?<=^ {6}version: ')[^']+/gm],
  ['deploy/kubernetes/overlays/example/kustomization.yaml', /(?<=newTag: ).+/g],
  // names of files and images
  ['{docs/**,packages/*}/*.md', /(?<=leadback-(?:api:)?)\d+\.\d+\.\d+(?=-py3-none-any|\s)/g],
  ['{docs/**,packages/*}/*.md', /(?<="leadback\/sdk", "version": ")[^"]+/g],
];

const textOf = (root: string, file: string) => readFileSync(join(root, file), 'utf8');

export const versionOf = (root: string): string =>
  z.object({ version: z.string() }).parse(JSON.parse(textOf(root, 'package.json'))).version;

interface Place {
  readonly file: string;
  readonly pattern: RegExp;
}

const placesIn = (root: string): readonly Place[] =>
  places.flatMap(([glob, pattern]) =>
    globSync(glob, { cwd: root, exclude: ['**/node_modules'] }).map((file) => ({ file, pattern })),
  );

/** Each place that names a version, and which. */
export const writtenVersions = (root: string): readonly { readonly file: string; readonly version: string }[] =>
  placesIn(root).flatMap(({ file, pattern }) =>
    (textOf(root, file).match(pattern) ?? []).map((version) => ({ file, version })),
  );

/** Writes a version everywhere. Returns the files that it changed. */
export const writeVersion = (root: string, version: string): readonly string[] => {
  const ofRoot: Place = { file: 'package.json', pattern: /(?<=^ {2}"version": ")[^"]+/m };
  const changed = [ofRoot, ...placesIn(root)].filter(({ file, pattern }) => {
    const before = textOf(root, file);
    const after = before.replace(pattern, version);
    if (after !== before) writeFileSync(join(root, file), after);
    return after !== before;
  });
  return [...new Set(changed.map(({ file }) => file))];
};
