import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** What releases.json says of a release: a clone may come without tags. */
const releaseSchema = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  /** of the migrations that it brought: the SHA-256 of each file. They are never edited again. */
  migrations: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});
export type Release = z.infer<typeof releaseSchema>;

export const releasesFile = 'releases.json';

/** Oldest first. */
export const readReleases = (root: string): readonly Release[] =>
  z.array(releaseSchema).parse(JSON.parse(readFileSync(join(root, releasesFile), 'utf8')));

const folder = 'packages/db/src/migrations';

/** The SHA-256 of each file of the migrations, but of their list, which grows. */
const migrationsIn = (root: string): Release['migrations'] =>
  Object.fromEntries(
    globSync('**/*.ts', { cwd: join(root, folder), exclude: ['index.ts'] })
      .toSorted()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(root, folder, name)))
          .digest('hex'),
      ]),
  );

const released = (root: string): readonly (readonly [string, string])[] =>
  readReleases(root).flatMap(({ migrations }) => Object.entries(migrations));

/** Migrations that no release has brought yet. */
export const newMigrations = (root: string): Release['migrations'] => {
  const known = new Set(released(root).map(([name]) => name));
  return Object.fromEntries(Object.entries(migrationsIn(root)).filter(([name]) => !known.has(name)));
};

/** Released migrations that were edited or deleted since. */
export const editedMigrations = (root: string): readonly string[] => {
  const now = migrationsIn(root);
  return released(root).flatMap(([name, sum]) => (now[name] === sum ? [] : [`${folder}/${name}`]));
};

/** What migrations import of ours from outside their folder: that changes, but a migration must do the same for ever. */
export const importsOfMigrations = (root: string): readonly string[] =>
  Object.keys(migrationsIn(root)).flatMap((name) => {
    const text = readFileSync(join(root, folder, name), 'utf8');
    const imported = Array.from(text.matchAll(/^(?:import|export|\}) [^;]*?'([^']+)';$/gm), ([, from = '']) => from);
    return imported
      .filter((from) => from.startsWith('@leadback/') || join(dirname(name), from).startsWith('../'))
      .map((from) => `${folder}/${name}: ${from}`);
  });
