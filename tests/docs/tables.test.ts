import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { webhookEventTypes } from '@leadback/domain';
import { platformList } from '@leadback/platforms';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../support/code-blocks.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** The cells of all rows of a document's tables. */
const rowsOf = (file: string) =>
  read(file)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
const quotedIn = (text = '') => Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
const isMissing = (file: string) => !existsSync(join(root, file));

it('the changelog begins with the unreleased changes, followed by the version of package.json, and each release says what an upgrade asks for', () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));
  const parts = read('CHANGELOG.md').split(/^## /m).slice(1);
  expect(parts.slice(0, 2).map((part) => part.split('\n')[0])).toEqual(['Unreleased', version]);
  for (const part of parts) expect(part).toContain('\n### Upgrade\n');
});

it('docs/architecture.md shows the packages that each package may import, as the layer rules say', () => {
  const rulesSchema = z.object({
    forbidden: z.array(z.object({ name: z.string(), to: z.looseObject({ pathNot: z.unknown().optional() }) })),
  });
  const rules = rulesSchema.parse(createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')));
  const allowed = rules.forbidden.flatMap(({ name, to }) => {
    const [, from] = /^(.*)-imports-only$/.exec(name) ?? [];
    const [, packages = ''] = /\((.*)\)/.exec(String(to.pathNot)) ?? [];
    return from === undefined ? [] : [[from, packages.split('|').filter((each) => each !== from)]];
  });
  const [, table = ''] = read('docs/architecture.md').split('## Package dependencies');
  const shown = [...table.matchAll(/^\| `([\w-]+)` \| ([^|]*) \|/gm)].map(([, from, names]) => [from, quotedIn(names)]);
  expect(shown).toEqual(allowed);
});

it('the settings of each platform are in .env.example with their real values, and its hosts in docs/platform-team.md', () => {
  for (const { env } of platformList) {
    const standards = Object.entries(env).map(([name, { standard }]) => [name, standard] as const);
    expect(parseEnv(read('.env.example'))).toMatchObject(Object.fromEntries(standards));
    const hosts = Object.values(env).map(({ standard }) => new URL(standard).host);
    for (const host of hosts) expect(read('docs/platform-team.md')).toContain(`\`${host}\``);
  }
});

it('docs/webhooks.md has a row for every event', () => {
  for (const type of webhookEventTypes) expect(read('docs/webhooks.md')).toContain(`\n| \`${type}\` | `);
});

const numbered = (letter: string, last: number) => Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);

it('the table of promises names, for each promise in order, a proof that exists and when it ran, or says that there is none', () => {
  const rows = ['docs/reliability.md', 'docs/reliability-security.md']
    .flatMap(rowsOf)
    .filter(([id = '']) => /^[RS]\d+$/.test(id));
  expect(rows.map(([id]) => id)).toEqual([...numbered('R', 40), ...numbered('S', 28)]);
  expect(rows.filter((cells) => cells.length !== 5)).toEqual([]);
  const unproven = rows.filter(([, , proof = '', ran = '']) => {
    const files = quotedIn(proof).filter((code) => /^(apps|packages|scripts|tests)\//.test(code));
    const isProven = files.length > 0 && !files.some(isMissing) && /^(\d{1,2} [A-Z][a-z]{2}|`npm test`)$/.test(ran);
    return !isProven && !(files.length === 0 && proof.startsWith('not proven yet: '));
  });
  expect(unproven).toEqual([]);
});
