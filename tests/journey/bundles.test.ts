import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { secretsKey } from '@leadback/test-fixtures';
import { freePort } from '@leadback/local-stack';
import { describe, expect, inject, it, vi } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const execute = promisify(execFile);

/** Builds an app like its build script, into an empty folder. */
const bundled = async (app: string): Promise<string> => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'bundle-'));
  const cwd = join(root, 'apps', app);
  const config = existsSync(join(cwd, 'tsup.config.ts')) ? 'tsup.config.ts' : '../../tsup.config.ts';
  const build = ['--silent', '--config', config, '--out-dir', join(folder, 'dist')];
  await execute(join(root, 'node_modules', '.bin', 'tsup'), build, { cwd });
  return folder;
};

/** The libraries in a bundle, whose comments name the source of each part. */
const librariesIn = async (folder: string): Promise<Set<string>> => {
  const bundle = await readFile(join(folder, 'dist', 'main.js'), 'utf8');
  return new Set(
    Array.from(
      bundle.matchAll(/node_modules\/\.pnpm\/[^/"]+\/node_modules\/((?:@[^/"]+\/)?[^/"]+)/g),
      ([, name = '']) => name,
    ),
  );
};

describe('the bundle of an app', () => {
  it.each(['landing', 'api', 'feedback-worker', 'operator'])(
    'bundles %s into one file that runs alone, with the licences of its libraries',
    async (app) => {
      const folder = await bundled(app);
      const bundle = join(folder, 'main.mjs');
      await copyFile(join(folder, 'dist', 'main.js'), bundle);
      // without settings an app must name them and exit
      const args = app === 'operator' ? ['account', 'create', '--name', 'x'] : [];
      const ended = execute(process.execPath, [bundle, ...args], { env: {} });
      await expect(ended).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('→ at DATABASE_URL') });

      const licences = await readFile(join(folder, 'dist', 'THIRD-PARTY-LICENSES'), 'utf8');
      const libraries = await librariesIn(folder);
      expect(libraries.size).toBeGreaterThan(10);
      expect([...libraries].filter((name) => !licences.includes(`\n${name} `))).toEqual([]);
    },
  );

  it('bundles the documentation files with the api', async () => {
    const folder = await bundled('api');
    const files = await readdir(join(folder, 'dist', 'docs'));
    expect(files.toSorted()).toEqual(['favicon-32x32.png', 'swagger-ui-bundle.js', 'swagger-ui.css']);
    const port = await freePort();
    // the api starts while its servers are unavailable
    const unavailable = {
      DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
      AMQP_URL: 'amqp://127.0.0.1:1',
      SECRETS_KEY: secretsKey.toString('base64'),
    };
    const ports = { PORT: String(port), OPERATIONS_PORT: String(await freePort()), HOST: '127.0.0.1' };
    const bundle = join(folder, 'dist', 'main.mjs');
    await copyFile(join(folder, 'dist', 'main.js'), bundle);
    const api = spawn(process.execPath, [bundle], { env: { ...unavailable, ...ports }, stdio: 'ignore' });
    const script = await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/docs/swagger-ui-bundle.js`), {
      timeout: 20_000,
    });
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    api.kill('SIGKILL');
  });
});
