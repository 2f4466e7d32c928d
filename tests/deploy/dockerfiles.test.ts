import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isSeen } from './build-context.ts';
import { commandOf, readDockerfile, textOf } from './dockerfile.ts';
import { imageFolders } from './image-folders.ts';
import { repository } from './repository.ts';

const manifest = z
  .object({ devDependencies: z.object({ node: z.string() }) })
  .parse(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')));
const nodeImage = `node:${manifest.devDependencies.node}-bookworm-slim`;

describe.each(imageFolders)('the Dockerfile of %s', (folder) => {
  const { text, stages, last } = readDockerfile(folder);

  it('is one that a builder understands', () => {
    expect(validate(text)).toEqual([]);
  });

  it('is built on the Node that everything is tested with', () => {
    const own = new Set(stages.map(({ name }) => name));
    const bases = stages.map(({ base }) => base).filter((base) => !own.has(base));
    expect(new Set(bases)).toEqual(new Set([nodeImage]));
    expect(last.base).toBe(nodeImage);
  });

  it('takes tools from the image of Node and from npm alone', () => {
    const runs = stages.flatMap(({ steps }) => steps.filter(({ keyword }) => keyword === 'RUN'));
    const tools = runs.map(({ text: command }) => command.split(' ')[0]);
    expect(['mkdir', 'npm', 'pnpm', 'turbo']).toEqual(expect.arrayContaining(tools));
  });

  it('installs what the lockfile says, without a look at the registry after what was fetched, and no foreign script', () => {
    const installs = stages
      .flatMap(({ steps }) => steps)
      .filter(({ text: command }) => /^pnpm (fetch|install)/.test(command));
    expect(installs.map(({ text: command }) => command)).toEqual([
      'pnpm fetch --ignore-scripts',
      'pnpm install --offline --frozen-lockfile --ignore-scripts',
    ]);
  });

  it('puts into the image what was built, and runs nothing there', () => {
    const copied = last.steps.filter(({ keyword }) => keyword === 'COPY');
    expect(new Set(copied.map(({ flags }) => flags['from']))).toEqual(new Set(['build']));
    expect(last.steps.map(({ keyword }) => keyword)).not.toContain('RUN');
  });

  it('runs for production, as a user who is nobody by number, without a shell in between', () => {
    expect(textOf(last, 'ENV')).toContain('NODE_ENV=production');
    expect(textOf(last, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(textOf(last, 'STOPSIGNAL')).toBe('SIGTERM');
    expect([...commandOf(last, 'ENTRYPOINT'), ...commandOf(last, 'CMD')].slice(0, 2)).toEqual(['node', 'dist/main.js']);
  });

  it('says how to see whether the app is well, unless it is a command that ends', () => {
    const check = textOf(last, 'HEALTHCHECK');
    expect(check).toMatch(folder === 'apps/operator' ? /^NONE$/ : /^CMD \["node", "-e", ".+\/health`/);
  });
});

it('the images share the layers that bring the tools', () => {
  const first = imageFolders.map((folder) => JSON.stringify(readDockerfile(folder).stages[0]));
  expect(new Set(first).size).toBe(1);
});

it.each([
  '.env',
  '.git/config',
  '.leadback/running.json',
  'apps/api/.turbo/log',
  'apps/api/dist/main.js',
  'apps/api/node_modules/express/index.js',
  'apps/api/test/given-api.ts',
  'node_modules/node/bin/node',
  'packages/platforms/src/sha256.test.ts',
])('a build never sees %s', (path) => {
  expect(isSeen(join(repository, path))).toBe(false);
});
