// `node scripts/bundle/bundle-app.ts APP FOLDER`: writes to a folder what the image of an app contains: its bundle in dist, and a
// package.json for Node.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const packageSchema = z.object({ name: z.string(), version: z.string(), type: z.literal('module') });

const root = join(import.meta.dirname, '..', '..');

const [app = '', folder = ''] = process.argv.slice(2);
const source = ['apps', 'packages']
  .map((parent) => join(root, parent, app))
  .find((one) => app !== '' && existsSync(join(one, 'package.json')));
if (source === undefined || folder === '')
  throw new Error('Usage: node scripts/bundle/bundle-app.ts APP FOLDER, such as: api /tmp/api');

const target = resolve(folder);
const description = packageSchema.parse(JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')));
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'package.json'), `${JSON.stringify(description, undefined, 2)}\n`);

const build = ['run', 'build', '--out-dir', join(target, 'dist')];
const { status, error } = spawnSync('pnpm', build, { cwd: source, stdio: 'inherit' });
if (error) throw error;
process.exitCode = status ?? 1;
