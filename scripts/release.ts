// `npm run release -- VERSION`: makes a release of the commit that is checked out. docs/release.md says what comes before and after.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWords, refuse } from './read-options.ts';
import { releasedChangelog } from './release/changelog.ts';
import { editedFiles, newFiles, readReleases, releasesFile } from './release/releases.ts';
import { versionOf, writeVersion, writtenVersions } from './release/version.ts';
import { root } from './start/data-folder.ts';
import { builds, hasPassed, runChecks } from './test/rounds.ts';

const usage = `npm run release -- 1.1.0 --prepare     writes the version and the changelog, for you to commit
npm run release -- 1.1.0 --dry-run     says what would keep the release from being made, and what it would do
npm run release -- 1.1.0               makes it: tests, packages, images, checksums, releases.json, tag
  --tested     npm test has passed on this commit`;

const { values: options, positionals } = readWords(
  {
    allowPositionals: true,
    options: { prepare: { type: 'boolean' }, 'dry-run': { type: 'boolean' }, tested: { type: 'boolean' } },
  },
  usage,
);
const [version = '', ...more] = positionals;
if (!/^\d+\.\d+\.\d+$/.test(version) || more.length > 0) refuse(`name one version, such as 1.1.0\n${usage}`);

const tag = `v${version}`;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const inRoot = (...names: readonly string[]): string => join(root, ...names);
const git = (...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim();
const changelog = (): string => readFileSync(inRoot('CHANGELOG.md'), 'utf8');
const numbersOf = (text: string) => text.split('.').map(Number);
const isNewer = (one: string, other: string): boolean => {
  const [ones, others] = [numbersOf(one), numbersOf(other)];
  const index = ones.findIndex((number, position) => number !== others[position]);
  return index !== -1 && (ones[index] ?? 0) > (others[index] ?? 0);
};

/** Why this version cannot be chosen. */
const refusalsOfVersion = (): readonly string[] => {
  const releases = readReleases(root);
  const newest = releases.at(-1)?.version;
  if (git('tag', '--list', tag) !== '' || releases.some((release) => release.version === version))
    return [`${version} is released already: choose a newer version`];
  return newest !== undefined && !isNewer(version, newest) ? [`${version} is not newer than ${newest}`] : [];
};

const dirt = (): readonly string[] =>
  git('status', '--porcelain') === '' ? [] : ['files are changed or new: commit or remove them (git status)'];

const prepared = (): readonly string[] => {
  const places = [{ file: 'package.json', version: versionOf(root) }, ...writtenVersions(root)];
  const wrong = [...new Set(places.filter((place) => place.version !== version).map(({ file }) => file))];
  if (wrong.length > 0)
    return [`${wrong.join(', ')}: another version; run \`npm run release -- ${version} --prepare\` and commit`];
  try {
    return releasedChangelog(changelog(), version) === changelog()
      ? []
      : [`CHANGELOG.md has no part ${version}; run with --prepare`];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
};

const edited = (): readonly string[] =>
  editedFiles(root).map((file) => `${file} was released and is edited: take it back, and add another one`);

const images = ['landing', 'api', 'feedback-worker', 'console', 'operator', 'platform-sandbox'];
const hasEngine = (): boolean => spawnSync('docker', ['version'], { stdio: 'ignore' }).status === 0;
const folder = inRoot('dist', `release-${version}`);

const steps = (): readonly string[] => [
  options.tested ? 'builds the apps (npm test has passed, you say)' : 'runs npm test',
  `writes to ${folder}: the SDKs, leadback-${version}.tar.gz (the sources), SHA256SUMS`,
  hasEngine()
    ? `builds the images ${images.map((app) => `leadback-${app}:${version}`).join(', ')}`
    : 'builds no images: there is no container engine',
  `writes the commit ${git('rev-parse', '--short', 'HEAD')} and ${Object.keys(newFiles(root, 'migrations')).length} new files of migrations into ${releasesFile}, and commits that`,
  `tags the commit with ${tag}`,
];

const test = async (): Promise<boolean> =>
  options.tested
    ? hasPassed([await runChecks(builds)])
    : spawnSync(process.execPath, [inRoot('scripts', 'run.mjs'), 'test'], { stdio: 'inherit' }).status === 0;

const sumOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Writes what others download, and its checksums. */
const pack = (): void => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packages = inRoot('apps', 'api', 'dist', 'docs', 'packages');
  cpSync(packages, folder, { recursive: true });
  const prefix = `leadback-${version}`;
  git('archive', `--prefix=${prefix}/`, '--output', join(folder, `${prefix}.tar.gz`), 'HEAD');
  const sums = readdirSync(folder).map((name) => `${sumOf(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
};

const buildImages = (): void => {
  if (!hasEngine()) return say('NOT BUILT          the images: there is no container engine');
  for (const app of images) {
    const words = ['build', '--build-arg', `APP=${app}`, '--tag', `leadback-${app}:${version}`, '.'];
    execFileSync('docker', words, { cwd: root, stdio: 'inherit' });
  }
};

/** The commit cannot name itself: the next one does. */
const record = (): void => {
  const commit = git('rev-parse', 'HEAD');
  const releases = [
    ...readReleases(root),
    { version, commit, migrations: newFiles(root, 'migrations'), scripts: newFiles(root, 'scripts') },
  ];
  writeFileSync(inRoot(releasesFile), `${JSON.stringify(releases, undefined, 2)}\n`);
  git('commit', '--quiet', '--message', `Record release ${version}`, '--', releasesFile);
  git('tag', '--annotate', tag, '--message', `Leadback ${version}`, commit);
};

const prepare = (): void => {
  const before = changelog();
  const after = releasedChangelog(before, version);
  const files = [...writeVersion(root, version), ...(after === before ? [] : ['CHANGELOG.md'])];
  writeFileSync(inRoot('CHANGELOG.md'), after);
  say(files.length === 0 ? 'Everything has this version.' : `Written: ${files.join(', ')}. Review and commit them.`);
};

const refusals = [...refusalsOfVersion(), ...dirt(), ...(options.prepare ? [] : [...prepared(), ...edited()])];
if (refusals.length > 0) {
  process.stderr.write(`${refusals.join('\n')}\n`);
  process.exitCode = 1;
} else if (options.prepare) {
  prepare();
} else if (options['dry-run']) {
  say(
    `The release ${version}\n${steps()
      .map((step) => `- ${step}`)
      .join('\n')}\nNothing was changed.`,
  );
} else if (!(await test())) {
  process.stderr.write('The tests failed: nothing was released.\n');
  process.exitCode = 1;
} else {
  pack();
  buildImages();
  record();
  say(`${tag} is made; its files are in ${folder}. Publish it: git push --atomic origin HEAD ${tag}`);
}
