import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const folders = [
  'apps/landing',
  'apps/api',
  'apps/feedback-worker',
  'apps/console',
  'apps/operator',
  'packages/platform-sandbox',
] as const;

/**
 * Bundles the apps of a checkout as their images contain them. `main.ts` points to the bundle, so that every version of
 * the code which starts apps from their sources starts these.
 */
export const buildApps = async (root: string, target: string): Promise<void> => {
  const build = async (folder: (typeof folders)[number]): Promise<void> => {
    const [, name = ''] = folder.split('/');
    const image = join(target, folder);
    await execute(process.execPath, ['scripts/bundle/bundle-app.ts', name, image], { cwd: root });
    mkdirSync(join(image, 'src'));
    symlinkSync('../dist/main.js', join(image, 'src', 'main.ts'));
  };
  // earlier versions have no console
  await Promise.all(folders.filter((folder) => existsSync(join(root, folder))).map(build));
};
