import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const exact = /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
const versions = z.record(z.string(), z.string()).default({});
const packageSchema = z.object({
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
});
const workspaceSchema = z.object({
  dangerouslyAllowAllBuilds: z.literal(false).optional(),
  minimumReleaseAge: z.number().min(24 * 60),
  minimumReleaseAgeExclude: z.array(z.string()).default([]),
  blockExoticSubdeps: z.literal(true),
  catalog: versions,
  overrides: versions,
  packageExtensions: z.record(z.string(), packageSchema),
});
const lockfileSchema = z.object({ packages: z.record(z.string(), z.object({ resolution: z.unknown() })) });

const requestedBy = ({ dependencies, devDependencies, optionalDependencies }: z.infer<typeof packageSchema>) =>
  Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });

it('pins every dependency to an exact version, refuses new releases, and exempts single versions only', () => {
  const files = globSync(['package.json', '{apps,packages,examples}/*/package.json', 'tests/package.json'], {
    cwd: root,
  });
  expect(files.length).toBeGreaterThan(10);
  const workspace = workspaceSchema.parse(parse(read('pnpm-workspace.yaml')));
  const requested = [
    ...files.flatMap((file) => requestedBy(packageSchema.parse(JSON.parse(read(file))))),
    ...Object.entries(workspace.overrides),
    ...Object.entries(workspace.catalog),
    ...Object.values(workspace.packageExtensions).flatMap(requestedBy),
  ].filter(([, version]) => version !== 'catalog:' && version !== 'workspace:*');
  expect(requested.filter(([, version]) => !exact.test(version))).toEqual([]);
  expect(workspace.minimumReleaseAgeExclude.filter((one) => !exact.test(one.split('@').at(-1) ?? ''))).toEqual([]);
});

it('installs every dependency from the registry with a checksum, and one version of the PostgreSQL driver', () => {
  const { packages } = lockfileSchema.parse(parse(read('pnpm-lock.yaml')));
  const checksum = z.strictObject({ integrity: z.string().startsWith('sha512-') });
  const odd = Object.entries(packages).filter(([, { resolution }]) => !checksum.safeParse(resolution).success);
  expect(odd).toEqual([]);
  // for the apps and MikroORM alike
  expect(Object.keys(packages).filter((name) => name.startsWith('pg@'))).toHaveLength(1);
});

it('writes the list of the libraries of the apps, and all their licences are allowed', async () => {
  const { stderr } = await promisify(execFile)('node', ['scripts/run.mjs', 'licences'], { cwd: root });
  expect(stderr).toBe('');
  expect(read('dist/licences.md').match(/^\| \S+ \| [\d.]+\S* \| /gm)?.length).toBeGreaterThan(50);
});
