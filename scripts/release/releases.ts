import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const sums = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/));

/** What releases.json says of a release: a clone may come without tags. */
const releaseSchema = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  /** The SHA-256 of each file of the migrations that it brought. They are never edited again. */
  migrations: sums,
  /** The same of the scripts for the advertiser's pages, which name them with their hash. */
  scripts: sums.optional(),
});
export type Release = z.infer<typeof releaseSchema>;

export const releasesFile = 'releases.json';

/** Oldest first. */
export const readReleases = (root: string): readonly Release[] =>
  z.array(releaseSchema).parse(JSON.parse(readFileSync(join(root, releasesFile), 'utf8')));

const folder = 'packages/db/src/migrations';

/** The files that a release freezes. The list of migrations grows. */
const frozen = {
  migrations: { folder, files: '**/*.ts', exclude: ['index.ts'] },
  scripts: { folder: 'packages/core/src/pages/script', files: '*.json', exclude: [] },
} as const;
type Frozen = keyof typeof frozen;
const kinds: readonly Frozen[] = ['migrations', 'scripts'];

/** The SHA-256 of each file. */
const sumsIn = (root: string, kind: Frozen): Release['migrations'] => {
  const { folder: parent, files, exclude } = frozen[kind];
  return Object.fromEntries(
    globSync(files, { cwd: join(root, parent), exclude: [...exclude] })
      .toSorted()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(root, parent, name)))
          .digest('hex'),
      ]),
  );
};

const released = (root: string, kind: Frozen): readonly (readonly [string, string])[] =>
  readReleases(root).flatMap((release) => Object.entries(release[kind] ?? {}));

/** Files that no release has brought yet. */
export const newFiles = (root: string, kind: Frozen): Release['migrations'] => {
  const known = new Set(released(root, kind).map(([name]) => name));
  return Object.fromEntries(Object.entries(sumsIn(root, kind)).filter(([name]) => !known.has(name)));
};

/** Released files that were edited or deleted since. */
export const editedFiles = (root: string): readonly string[] =>
  kinds.flatMap((kind) => {
    const now = sumsIn(root, kind);
    return released(root, kind).flatMap(([name, sum]) => (now[name] === sum ? [] : [`${frozen[kind].folder}/${name}`]));
  });

/** What migrations import of ours from outside their folder: that changes, but a migration must do the same for ever. */
export const importsOfMigrations = (root: string): readonly string[] =>
  Object.keys(sumsIn(root, 'migrations')).flatMap((name) => {
    const text = readFileSync(join(root, folder, name), 'utf8');
    const imported = Array.from(text.matchAll(/^(?:import|export|\}) [^;]*?'([^']+)';$/gm), ([, from = '']) => from);
    return imported
      .filter((from) => from.startsWith('@leadback/') || join(dirname(name), from).startsWith('../'))
      .map((from) => `${folder}/${name}: ${from}`);
  });
