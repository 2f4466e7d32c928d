import { execFile } from 'node:child_process';
import { copyFile, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const execute = promisify(execFile);

describe('the bundle of an app', () => {
  it.each(['landing', 'api', 'feedback-worker', 'operator'])('is one file that runs by itself: %s', async (app) => {
    const folder = await mkdtemp(join(inject('temporaryFolder'), 'bundle-'));
    const build = ['--silent', '--config', '../../tsup.config.ts', '--out-dir', join(folder, 'dist')];
    await execute(join(root, 'node_modules', '.bin', 'tsup'), build, { cwd: join(root, 'apps', app) });
    const bundle = join(folder, 'main.mjs');
    await copyFile(join(folder, 'dist', 'main.js'), bundle);
    // without settings an app has to say which, and not start
    const args = app === 'operator' ? ['account', 'create', '--name', 'x'] : [];
    const ended = execute(process.execPath, [bundle, ...args], { env: {} });
    await expect(ended).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('→ at DATABASE_URL') });
  });
});
