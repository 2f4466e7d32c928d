import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { strangerLimits } from '../../scripts/reference/limits.ts';
import { referencePages } from '../../scripts/reference/pages.ts';
import { root } from '../support/code-blocks.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const pages = referencePages();

it('every page of docs/reference is as `node scripts/run.mjs reference` writes it', () => {
  const written = globSync('docs/reference/*.md', { cwd: root }).toSorted();
  expect(written).toEqual(Object.keys(pages).toSorted());
  const outdated = written.filter((file) => read(file) !== pages[file]);
  expect(outdated, 'run: node scripts/run.mjs reference').toEqual([]);
});

it('every metric of the apps is on the page of metrics', () => {
  const sources = globSync(['apps/*/src/**/*.ts', 'packages/server/src/**/*.ts'], {
    cwd: root,
    exclude: ['**/*.test.ts'],
  });
  const named = sources.flatMap((file) =>
    Array.from(read(file).matchAll(/name: '(leadback_\w+)'/g), ([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(40);
  const shown = new Set(read('docs/reference/metrics.md').match(/leadback_\w+/g));
  expect(named.filter((name) => !shown.has(name))).toEqual([]);
});

it('each limit that a stranger can meet has a test that exists', () => {
  expect(strangerLimits.length).toBeGreaterThan(20);
  expect(strangerLimits.filter(({ test }) => !existsSync(join(root, test)))).toEqual([]);
});
