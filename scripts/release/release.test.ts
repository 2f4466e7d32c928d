import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { root } from '../start/data-folder.ts';
import { releasedChangelog } from './changelog.ts';
import { editedFiles, importsOfMigrations, readReleases } from './releases.ts';
import { versionOf, writtenVersions } from './version.ts';

const version = versionOf(root);
const files = [
  '{scripts,packages/db/src/migrations}/**/*.ts',
  'packages/core/src/pages/script/*.json',
  '{.gitignore,package.json,turbo.json,releases.json,docs/*.md,tests/package.json}',
  '{apps,packages,examples}/*/package.json',
  'apps/api/src/documentation/api-document.ts',
  'deploy/kubernetes/overlays/example/kustomization.yaml',
];
const migration = 'packages/db/src/migrations/initial.ts';
const script = 'packages/core/src/pages/script/leadback-1.1.0.json';

/** A repository with everything that has a version, a changelog for 1.1.0, and builds that do nothing. */
const givenRepository = async () => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'release-'));
  const write = (name: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode });
  };
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  for (const file of globSync(files, { cwd: root, exclude: ['**/node_modules'] }))
    cpSync(join(root, file), join(folder, file));
  write('releases.json', '[]\n');
  write(
    'CHANGELOG.md',
    '# Changelog\n\n## Unreleased\n\n- **New**\n\n### Upgrade\nNothing.\n\n## 1.0.0\n\n### Upgrade\nNothing.\n',
  );
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.bin') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  write('node_modules/.bin/turbo', '#!/bin/sh\nexit ${TURBO_STATUS:-0}\n', 0o755);
  write('node_modules/engine/docker', '#!/bin/sh\nexit 1\n', 0o755); // none
  write('apps/api/dist/docs/packages/leadback-sdk.tgz', 'the SDK');
  const env = {
    ...process.env,
    PATH: `${folder}/node_modules/engine:/usr/bin:/bin`,
    GIT_CONFIG_GLOBAL: join(folder, 'node_modules', 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
  };
  write('node_modules/gitconfig', '[user]\nname = Test\nemail = test@example.com\n');
  const run = (file: string, words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    spawnSync(file, words, { cwd: folder, encoding: 'utf8', env: { ...env, ...more } });
  const git = (...words: readonly string[]) => run('git', words).stdout.trim();
  const commit = (message: string) => {
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet');
  commit('Start');
  const release = (words: string, more: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, ['scripts/release.ts', ...words.split(' ')], more);
  return { folder, write, read, git, commit, release };
};

type Repository = Awaited<ReturnType<typeof givenRepository>>;

/** Prepares a version and commits that. Returns the commit. */
const prepare = ({ release, commit }: Repository, chosen = '1.1.0') => {
  expect(release(`${chosen} --prepare`)).toMatchObject({ status: 0 });
  return commit(`Release ${chosen}`);
};

describe('npm run release', () => {
  it('prepares a version in every place that names it, and in the changelog', async () => {
    const repository = await givenRepository();
    prepare(repository);
    const { folder, read } = repository;
    expect(versionOf(folder)).toBe('1.1.0');
    expect(new Set(writtenVersions(folder).map((place) => place.version))).toEqual(new Set(['1.1.0']));
    expect(read('CHANGELOG.md')).toContain('## Unreleased\n\n### Upgrade\nNothing.\n\n## 1.1.0\n\n- **New**\n');
  });

  it('says what it would do, and changes nothing', async () => {
    const repository = await givenRepository();
    const prepared = prepare(repository);
    const { status, stdout } = repository.release('1.1.0 --dry-run');
    expect([status, stdout.split('\n').at(-2)]).toEqual([0, 'Nothing was changed.']);
    expect(stdout).toContain('tags the commit with v1.1.0');
    expect([
      repository.git('rev-parse', 'HEAD'),
      repository.git('tag'),
      repository.git('status', '--porcelain'),
    ]).toEqual([prepared, '', '']);
  });

  it('writes the packages, the sources and their checksums, and records the commit and its migrations, which it tags', async () => {
    const repository = await givenRepository();
    const prepared = prepare(repository);
    const { folder, git, release, read } = repository;
    const { status, stdout, stderr } = release('1.1.0 --tested');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('there is no container engine');
    expect(stdout).toContain('git push --atomic origin HEAD v1.1.0');
    const made = 'dist/release-1.1.0';
    expect(readdirSync(join(folder, made)).toSorted()).toEqual([
      'SHA256SUMS',
      'leadback-1.1.0.tar.gz',
      'leadback-sdk.tgz',
    ]);
    const sum = createHash('sha256').update('the SDK').digest('hex');
    expect(read(`${made}/SHA256SUMS`).split('\n')).toContain(`${sum}  leadback-sdk.tgz`);
    expect(git('rev-parse', 'v1.1.0^{commit}')).toBe(prepared);
    expect([
      git('rev-parse', 'HEAD~1'),
      git('show', '--no-patch', '--format=%s'),
      git('status', '--porcelain'),
    ]).toEqual([prepared, 'Record release 1.1.0', '']);
    expect(readReleases(folder)).toMatchObject([{ version: '1.1.0', commit: prepared }]);
    expect(Object.keys(readReleases(folder)[0]?.migrations ?? {})).toContain('initial.ts');
  });

  it('builds an image of each app if there is a container engine', async () => {
    const repository = await givenRepository();
    repository.write('node_modules/engine/docker', '#!/bin/sh\necho "$*" >> "${0%/*}/../built"\n');
    prepare(repository);
    expect(repository.release('1.1.0 --tested')).toMatchObject({ status: 0 });
    const built = repository
      .read('node_modules/built')
      .split('\n')
      .filter((line) => line.startsWith('build '));
    expect(built).toContain('build --build-arg APP=api --tag leadback-api:1.1.0 .');
    expect(built).toHaveLength(6);
  });

  it('refuses a dirty folder, a version that exists or is older, and one that is not prepared', async () => {
    const repository = await givenRepository();
    const { release, write, git } = repository;
    // whichever the files here have
    expect(release('1.99.0 --dry-run')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('another version'),
    });
    prepare(repository);
    write('new.txt', '');
    expect(release('1.1.0 --tested')).toMatchObject({ status: 1, stderr: expect.stringContaining('git status') });
    git('clean', '--force', '--quiet');
    expect(release('1.1.0 --tested')).toMatchObject({ status: 0 });
    const exists = { status: 1, stderr: expect.stringContaining('1.1.0 is released already') };
    expect(release('1.1.0 --tested')).toMatchObject(exists);
    git('tag', '--delete', 'v1.1.0'); // a clone may come without tags
    expect(release('1.1.0 --tested')).toMatchObject(exists);
    expect(release('1.0.9 --prepare')).toMatchObject({ status: 1, stderr: '1.0.9 is not newer than 1.1.0\n' });
    expect(release('1.2')).toMatchObject({ status: 2, stderr: expect.stringContaining('name one version') });
  });

  it('releases nothing if a build or a test fails', async () => {
    const repository = await givenRepository();
    const prepared = prepare(repository);
    expect(repository.release('1.1.0 --tested', { TURBO_STATUS: '1' })).toMatchObject({ status: 1 });
    expect([repository.git('rev-parse', 'HEAD'), repository.git('tag')]).toEqual([prepared, '']);
  });

  it('freezes the migrations that it has released: an edited or deleted one is found, a new one is no difference', async () => {
    const repository = await givenRepository();
    const { folder, write, read, release, commit } = repository;
    write(migration, `${read(migration)}// still free\n`);
    commit('Edit');
    prepare(repository);
    release('1.1.0 --tested');
    write('packages/db/src/migrations/20270101-more.ts', '');
    expect(editedFiles(folder)).toEqual([]);
    write(migration, `${read(migration)}// not any more\n`);
    expect(editedFiles(folder)).toEqual([migration]);
    commit('Edit again');
    expect(release('1.2.0 --dry-run').stderr).toContain(`${migration} was released and is edited`);
    rmSync(join(folder, script));
    expect(editedFiles(folder)).toEqual([migration, script]);
  });
});

describe('the changelog of a release', () => {
  it('keeps the part of a version that is written already, if nothing else is unreleased', () => {
    const text = '# Changelog\n\n## Unreleased\n\n### Upgrade\nNothing.\n\n## 1.0.0\n\nThe first.\n';
    expect(releasedChangelog(text, '1.0.0')).toBe(text);
    expect(() => releasedChangelog(text, '1.1.0')).toThrow('nothing under Unreleased');
    expect(() => releasedChangelog(text.replace('Nothing.', 'Something.'), '1.0.0')).toThrow('a part 1.0.0');
  });
});

describe('this repository', () => {
  it('has one version in all places that name it', () => {
    expect(writtenVersions(root).filter((place) => place.version !== version)).toEqual([]);
    expect(writtenVersions(root).length).toBeGreaterThan(20);
  });

  it('has the migrations and scripts of its releases as they were released', () => {
    expect(editedFiles(root)).toEqual([]);
  });

  it('has migrations that import nothing that changes', () => {
    expect(importsOfMigrations(root)).toEqual([]);
  });
});
