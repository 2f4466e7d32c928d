import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { root as repository } from '../support/code-blocks.ts';
import { isBundled, mainOf } from '../support/main-of.ts';

const execute = promisify(execFile);
const apps = globSync('apps/*/package.json', { cwd: repository }).map((file) => basename(dirname(file)));
apps.push('platform-sandbox');
let root: string;

const folderOf = (app: string) => join(root, app);
const readBundled = (app: string, file: string) => readFile(join(folderOf(app), 'dist', file), 'utf8');

/** Starts a bundle without any setting. */
const start = (app: string, ...words: readonly string[]) =>
  execute(process.execPath, ['dist/main.js', ...words], { cwd: folderOf(app), env: {} }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
  );

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(repository, 'packages', 'sdk', 'package.json'), 'utf8')));
const packages = [`leadback-${version}-py3-none-any.whl`, 'leadback-php.zip', 'leadback-sdk.tgz'];

const sourceOf = (app: string) => (app === 'platform-sandbox' ? `packages/${app}` : `apps/${app}`);

/** Writes what the image of an app contains. */
const bundle = async (app: string): Promise<void> => {
  const folder = folderOf(app);
  if (!isBundled || app === 'api') {
    await execute(process.execPath, ['scripts/bundle/bundle-app.ts', app, folder], { cwd: repository });
    return;
  }
  // `npm test` has just built the same
  const built = dirname(mainOf(sourceOf(app)));
  await cp(built, join(folder, 'dist'), { recursive: true });
  await cp(join(dirname(built), 'package.json'), join(folder, 'package.json'));
};

beforeAll(async () => {
  root = await mkdtemp(join(inject('temporaryFolder'), 'bundles-'));
  for (const app of apps) await bundle(app);
});

describe.each(apps)('the bundle of %s', (app) => {
  it('the bundle is one file without packages, sources and settings, with the documentation of the api and the pages of the console', async () => {
    const files = await readdir(folderOf(app), { recursive: true, withFileTypes: true });
    const pages = ['favicon.svg', 'index.html', 'licenses.txt'];
    const inFolder = { api: ['index.json', ...packages], console: pages }[app] ?? [];
    expect(
      files
        // named after their content
        .filter((file) => file.isFile() && !file.parentPath.endsWith('/dist/web/assets'))
        .filter(({ name }) => !/^[\w-]{16}\.(br|gzip|identity)$/.test(name))
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['THIRD-PARTY-LICENSES', 'main.js', 'package.json', ...inFolder].toSorted());
  });

  it('the bundle contains the licences of all libraries in it', async () => {
    // comments in a bundle name the source of each part
    const parts = (await readBundled(app, 'main.js')).matchAll(
      /node_modules\/\.pnpm\/[^/"]+\/node_modules\/((?:@[^/"]+\/)?[^/"]+)/g,
    );
    const libraries = new Set(Array.from(parts, ([, name = '']) => name));
    const licences = await readBundled(app, 'THIRD-PARTY-LICENSES');
    expect(libraries.size).toBeGreaterThan(10);
    expect([...libraries].filter((name) => !licences.includes(`\n${name} `))).toEqual([]);
  });
});

it.each([
  { app: 'landing', words: [], says: '→ at DATABASE_URL' },
  { app: 'api', words: [], says: '→ at DATABASE_URL' },
  { app: 'feedback-worker', words: [], says: '→ at DATABASE_URL' },
  { app: 'console', words: [], says: '→ at DATABASE_URL' },
  { app: 'operator', words: ['account', 'create', '--name', 'x'], says: 'DATABASE_URL is not set' },
])('the bundle of $app runs without packages, and names the settings that it misses', async ({ app, words, says }) => {
  expect(await start(app, ...words)).toEqual({ code: 1, output: expect.stringContaining(says) });
});

it('the bundle of the operator prints its help', async () => {
  expect(await start('operator', '--help')).toEqual({ code: 0, output: expect.stringContaining('Commands:') });
});

it('the bundle of the api has each document that it serves, in each encoding', async () => {
  const documents = z
    .array(z.object({ path: z.string(), digest: z.string() }))
    .parse(JSON.parse(await readBundled('api', 'docs/index.json')));
  expect(documents.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/openapi.json',
      '/docs/campaigns.md',
      '/docs/changelog.md',
      '/docs/corrections.md',
      '/docs/files.md',
      '/docs/guide.md',
      '/docs/leadback.php',
      '/docs/leadback.py',
      '/docs/privacy.md',
      '/docs/reasons.md',
      '/docs/sdks.md',
      '/docs/sources.md',
      '/docs/webhooks.md',
    ]),
  );
  const files = documents.flatMap(({ digest }) =>
    ['br', 'gzip', 'identity'].map((encoding) => `${digest}.${encoding}`),
  );
  expect((await readdir(join(folderOf('api'), 'dist', 'docs'))).toSorted()).toEqual(
    [...files, 'index.json', 'packages'].toSorted(),
  );
});
