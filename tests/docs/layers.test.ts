import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../support/code-blocks.ts';

const rulesSchema = z.object({
  forbidden: z.array(z.object({ name: z.string(), to: z.looseObject({ pathNot: z.unknown().optional() }) })),
});

it('docs/architecture.md shows the packages that each package may import, as the layer rules say', () => {
  const rules = rulesSchema.parse(createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')));
  const allowed = rules.forbidden.flatMap(({ name, to }) => {
    const [, from] = /^(.*)-imports-only$/.exec(name) ?? [];
    const [, packages = ''] = /\((.*)\)/.exec(String(to.pathNot)) ?? [];
    return from === undefined ? [] : [[from, packages.split('|').filter((each) => each !== from)]];
  });
  const document = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const [, table = ''] = document.split('## Package dependencies');
  const shown = [...table.matchAll(/^\| `([\w-]+)` \| ([^|]*) \|/gm)].map(([, from = '', names = '']) => [
    from,
    [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
  ]);
  expect(shown).toEqual(allowed);
});
