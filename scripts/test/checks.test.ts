import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../start/data-folder.ts';
import { checks } from './rounds.ts';

it('every check is a script of the root or of packages, because turbo passes a task without a script', () => {
  const scriptsSchema = z.object({ scripts: z.record(z.string(), z.string()) });
  const scriptsOf = (folder: string) =>
    Object.keys(scriptsSchema.parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))).scripts);
  const scripts = new Set(['.', 'apps/api', 'apps/console'].flatMap(scriptsOf));
  expect(checks).toEqual(['typecheck', 'build:web', 'build', 'lint', 'words', 'layers', 'unused']);
  expect(checks.filter((name) => !scripts.has(name))).toEqual([]);
});
