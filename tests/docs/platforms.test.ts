import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { platformList } from '@leadback/platforms';
import { describe, expect, it } from 'vitest';
import { connectionTable } from '../../apps/operator/src/commands/connection.ts';
import { root } from '../support/code-blocks.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('the documentation of platforms', () => {
  it('docs/connections.md has the table that `node scripts/run.mjs platform-docs` writes', () => {
    expect(read('docs/connections.md')).toContain(connectionTable());
  });

  it.each(platformList)('.env.example has every setting of $title, with the value of the real platform', ({ env }) => {
    const standards = Object.entries(env).map(([name, { standard }]) => [name, standard] as const);
    expect(parseEnv(read('.env.example'))).toMatchObject(Object.fromEntries(standards));
  });

  it.each(platformList)('the platform team can allow every host of $title', ({ env }) => {
    const hosts = Object.values(env).flatMap(({ isUrl, standard }) => (isUrl ? [new URL(standard).host] : []));
    for (const host of hosts) expect(read('docs/platform-team.md')).toContain(`\`${host}\``);
  });
});
