import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFile(join(root, file), 'utf8');

const exact = /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
const versions = z.record(z.string(), z.string()).default({});
const kinds = { dependencies: versions, devDependencies: versions, optionalDependencies: versions };
const packageSchema = z.object(kinds);

const workspaceSchema = z.object({
  allowBuilds: z.record(z.string(), z.boolean()),
  dangerouslyAllowAllBuilds: z.literal(false).optional(),
  minimumReleaseAge: z.number().min(24 * 60),
  minimumReleaseAgeExclude: z.array(z.string()).default([]),
  blockExoticSubdeps: z.literal(true),
  catalog: versions,
  overrides: versions,
  packageExtensions: z.record(z.string(), z.object(kinds)),
});

const lockfileSchema = z.object({
  importers: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.object({ specifier: z.string() })))),
  packages: z.record(z.string(), z.object({ resolution: z.unknown() })),
});

const workspace = workspaceSchema.parse(parse(await read('pnpm-workspace.yaml')));
const lockfile = lockfileSchema.parse(parse(await read('pnpm-lock.yaml')));

const packageFiles = async (): Promise<string[]> => {
  const { stdout } = await promisify(execFile)('git', ['ls-files', 'package.json', '*/package.json'], { cwd: root });
  return stdout.trim().split('\n');
};

const known = ['catalog:', 'workspace:*'];

const requestedBy = ({ dependencies, devDependencies, optionalDependencies }: z.infer<typeof packageSchema>) =>
  Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });

/** What each package.json requests. */
const requests = async () =>
  Promise.all(
    (await packageFiles()).map(async (file) => requestedBy(packageSchema.parse(JSON.parse(await read(file))))),
  );

describe('dependencies', () => {
  it('pins every dependency to an exact version', async () => {
    const requested = await requests();
    expect(requested.length).toBeGreaterThan(10);
    const all = [
      ...[...requested.flat(), ...Object.entries(workspace.overrides)].filter(
        ([, version]) => !known.includes(version),
      ),
      ...Object.entries(workspace.catalog),
      ...Object.values(workspace.packageExtensions).flatMap(requestedBy),
    ];
    expect(all.filter(([, version]) => !exact.test(version))).toEqual([]);
  });

  it('writes the version of a library once, even if several packages use it', async () => {
    const requested = (await requests()).flat();
    const inPackages = requested.filter(([, version]) => !known.includes(version)).map(([name]) => name);
    const elsewhere = (name: string) => requested.filter(([other]) => other === name).length > 1;
    expect(inPackages.filter((name) => elsewhere(name) || name in workspace.catalog)).toEqual([]);
    const used = new Set(requested.map(([name]) => name));
    expect(Object.keys(workspace.catalog).filter((name) => !used.has(name))).toEqual([]);
  });

  it('installs one version of the PostgreSQL driver, for the apps and MikroORM alike', () => {
    const installed = Object.keys(lockfile.packages).filter((name) =>
      /^(@types\/)?pg(-connection-string)?@/.test(name),
    );
    const expected = ['@types/pg', 'pg', 'pg-connection-string'].map((name) => `${name}@${workspace.catalog[name]}`);
    expect(new Set(installed)).toEqual(new Set(expected));
  });

  it('lists the dependencies of every package in the lockfile', async () => {
    for (const file of await packageFiles()) {
      const requested = requestedBy(packageSchema.parse(JSON.parse(await read(file))));
      const folder = file.slice(0, -'/package.json'.length) || '.';
      const locked = Object.values(lockfile.importers[file === 'package.json' ? '.' : folder] ?? {});
      const specifiers = locked.flatMap((kind) =>
        Object.entries(kind).map(([name, { specifier }]) => [name, specifier]),
      );
      expect([file, new Map(specifiers.map(([name = '', version]) => [name, version]))]).toEqual([
        file,
        new Map(requested),
      ]);
    }
  });

  it('installs every dependency from the registry with a checksum', () => {
    const odd = Object.entries(lockfile.packages).filter(
      ([, { resolution }]) =>
        !z.strictObject({ integrity: z.string().startsWith('sha512-') }).safeParse(resolution).success,
    );
    expect(odd).toEqual([]);
  });

  it('allows install scripts only by package name', () => {
    expect(Object.keys(workspace.allowBuilds).filter((name) => !/^(@[\w-]+\/)?[\w.-]+$/.test(name))).toEqual([]);
  });

  it('exempts dependencies from the minimum age only by exact version', () => {
    expect(workspace.minimumReleaseAgeExclude.filter((one) => !exact.test(one.split('@').at(-1) ?? ''))).toEqual([]);
  });
});
