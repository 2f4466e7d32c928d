import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../support/code-blocks.ts';

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const parts = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1);

it('the changelog begins with the unreleased changes, followed by the version of package.json', () => {
  const titles = parts.map((part) => part.split('\n')[0]);
  expect(titles.slice(0, 2)).toEqual(['Unreleased', version]);
});

it('each release of the changelog says what an upgrade asks for', () => {
  for (const part of parts) expect(part).toContain('\n### Upgrade\n');
});
