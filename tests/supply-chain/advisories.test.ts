import { copyFile, mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { addAdvisories, type Advisory, readAdvisories } from '../../scripts/supply-chain/known-advisories.ts';
import { isInRange } from '../../scripts/supply-chain/version-range.ts';

const root = join(import.meta.dirname, '..', '..');
const lockfileSchema = z.object({ packages: z.record(z.string(), z.unknown()) });

/** The versions of each package that are installed. */
const installed = async (): Promise<Map<string, string[]>> => {
  const { packages } = lockfileSchema.parse(parse(await readFile(join(root, 'pnpm-lock.yaml'), 'utf8')));
  const named = Object.keys(packages).map((name) => {
    const at = name.lastIndexOf('@');
    return { name: name.slice(0, at), version: name.slice(at + 1) };
  });
  return new Map(
    [...Map.groupBy(named, ({ name }) => name)].map(([name, all]) => [name, all.map((one) => one.version)]),
  );
};

const found = (advisories: readonly Advisory[], versions: ReadonlyMap<string, readonly string[]>) =>
  advisories.flatMap(({ id, package: name, vulnerable }) =>
    (versions.get(name) ?? []).flatMap((version) =>
      isInRange(version, vulnerable) ? [`${name}@${version}: ${id}`] : [],
    ),
  );

describe('the stored list of known vulnerabilities', () => {
  it('has no version that the lockfile installs', async () => {
    expect(found(readAdvisories(), await installed())).toEqual([]);
  });

  it('names libraries that are installed: others can be deleted', async () => {
    const versions = await installed();
    expect(readAdvisories().filter((one) => !versions.has(one.package))).toEqual([]);
  });

  it('finds a vulnerable version among several', () => {
    const advisory = { id: 'GHSA-x', package: 'qs', vulnerable: '<6.16.0' };
    expect(found([advisory], new Map([['qs', ['6.16.0', '6.15.3']]]))).toEqual(['qs@6.15.3: GHSA-x']);
  });

  it('takes an advisory once, however often it is added', async () => {
    const file = join(await mkdtemp(join(inject('temporaryFolder'), 'advisories-')), 'list.json');
    await copyFile(join(root, 'scripts/supply-chain/known-advisories.json'), file);
    const advisory = { id: 'GHSA-x', package: 'qs', vulnerable: '<1.0.0' };
    expect([addAdvisories([advisory], file), addAdvisories([advisory], file)]).toEqual([1, 0]);
    expect(readAdvisories(file)).toContainEqual(advisory);
  });
});
