import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { adQueries, supportedPlatforms, webhookEventTypes } from '@leadback/domain';
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

it('the hosts of each platform are in docs/production.md', () => {
  for (const { env } of platformList) {
    const hosts = Object.values(env).map(({ standard }) => new URL(standard).host);
    for (const host of hosts) expect(read('docs/production.md')).toContain(`\`${host}\``);
  }
});

it('docs/webhooks.md has a row for every event', () => {
  for (const type of webhookEventTypes) expect(read('docs/webhooks.md')).toContain(`\n| \`${type}\` | `);
});

const versionOf = (file: string) => z.object({ version: z.string() }).parse(JSON.parse(read(file))).version;

it('the pictures of the documents were taken of this version', () => {
  expect(versionOf('docs/pictures/taken.json')).toBe(versionOf('package.json'));
});

it('docs/campaigns.md has the URL of the ads of each platform', () => {
  for (const { name } of supportedPlatforms) expect(read('docs/campaigns.md')).toContain(`\`${adQueries[name]}\``);
});

it('each app is in the tables of ports and images, among the scraped jobs and in the order of upgrades', () => {
  const production = read('docs/production.md');
  const apps = readdirSync(join(root, 'apps')).filter((name) => name !== 'operator');
  expect(apps.length).toBeGreaterThan(3);
  for (const app of apps) {
    const row = rowsOf('docs/production.md').find(([name]) => name === `\`${app}\``);
    // app, port, operations port, ready when, ends within
    expect([app, row?.length]).toEqual([app, 5]);
    expect(production).toMatch(new RegExp(`as jobs .*\`${app}\``));
    expect(read('docs/kubernetes.md')).toContain(`\`-${app}\``.replace('`-landing`', '`leadback-landing`'));
    expect(read('docs/upgrade-and-restore.md')).toContain(`--wait ${app}`);
  }
});

const numbered = (letter: string, last: number) => Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);

it('docs/evidence.md names, for each promise in order, a proof that exists, or says that there is none', () => {
  const promises = Array.from(read('docs/evidence.md').matchAll(/^- \*\*([RS]\d+)\*\* [^:]+: (.*)$/gm));
  expect(promises.map(([, id]) => id)).toEqual(['R0', ...numbered('R', 40), ...numbered('S', 28)]);
  const unproven = promises.filter(([, , proof = '']) => {
    const files = quotedIn(proof).filter((code) => /^(apps|packages|scripts|tests)\//.test(code));
    return (files.length === 0 && !proof.startsWith('not proven yet: ')) || files.some(isMissing);
  });
  expect(unproven).toEqual([]);
});
