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

  it('passes the Dockerfile validator', () => {
    expect(validate(text)).toEqual([]);
  });

  it('uses the Node version of package.json as its base image', () => {
    const own = new Set(stages.map(({ name }) => name));
    const bases = stages.map(({ base }) => base).filter((base) => !own.has(base));
    expect(new Set(bases)).toEqual(new Set([nodeImage]));
    expect(last.base).toBe(nodeImage);
  });

  it('uses only tools of the Node image and of npm', () => {
    const runs = stages.flatMap(({ steps }) => steps.filter(({ keyword }) => keyword === 'RUN'));
    const tools = runs.map(({ text: command }) => command.split(' ')[0]);
    expect(['mkdir', 'npm', 'pnpm', 'turbo']).toEqual(expect.arrayContaining(tools));
  });

  it('installs from the lockfile, offline after the fetch and without install scripts', () => {
    const installs = stages
      .flatMap(({ steps }) => steps)
      .filter(({ text: command }) => /^pnpm (fetch|install)/.test(command));
    expect(installs.map(({ text: command }) => command)).toEqual([
      'pnpm fetch --ignore-scripts',
      'pnpm install --offline --frozen-lockfile --ignore-scripts',
    ]);
  });

  it('copies only build output into the final image and runs no command there', () => {
    const copied = last.steps.filter(({ keyword }) => keyword === 'COPY');
    expect(new Set(copied.map(({ flags }) => flags['from']))).toEqual(new Set(['build']));
    expect(last.steps.map(({ keyword }) => keyword)).not.toContain('RUN');
  });

  it('runs node directly in production mode as a numeric non-root user', () => {
    expect(textOf(last, 'ENV')).toContain('NODE_ENV=production');
    expect(textOf(last, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(textOf(last, 'STOPSIGNAL')).toBe('SIGTERM');
    expect([...commandOf(last, 'ENTRYPOINT'), ...commandOf(last, 'CMD')].slice(0, 2)).toEqual(['node', 'dist/main.js']);
  });

  it('has a health check, unless it is the operator image', () => {
    const check = textOf(last, 'HEALTHCHECK');
    expect(check).toMatch(folder === 'apps/operator' ? /^NONE$/ : /^CMD \["node", "-e", ".+\/health`/);
  });
});

it('the images share the layers with the build tools', () => {
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
])('.dockerignore excludes %s from builds', (path) => {
  expect(isSeen(join(repository, path))).toBe(false);
});
