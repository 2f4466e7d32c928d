import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Ignore } from '@balena/dockerignore';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apps, dockerfileText } from './dockerfile-text.ts';
import { repository } from './repository.ts';

// what an engine says about the Dockerfile is seen by `node scripts/run.mjs deploy-check`

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
// its types declare a default export, but the module is a function
const dockerignore: () => Ignore = createRequire(import.meta.url)('@balena/dockerignore');
const ignored = dockerignore().add(read('.dockerignore'));

const manifest = z.object({ devDependencies: z.object({ node: z.string() }) }).parse(JSON.parse(read('package.json')));

describe('the Dockerfile', () => {
  it('the Dockerfile has one image for each app and for the sandbox', () => {
    const folders = globSync('apps/*/package.json', { cwd: repository }).map((file) => file.split('/')[1]);
    expect(new Set(apps)).toEqual(new Set([...folders, 'platform-sandbox']));
  });

  it('the Dockerfile uses the Node version of package.json for its builds and images', () => {
    const images = Array.from(dockerfileText.matchAll(/\bnode:[\d.]+\S*/g), ([image]) => image);
    expect(new Set(images.map((image) => image.split('@')[0]))).toEqual(
      new Set([`node:${manifest.devDependencies.node}-bookworm-slim`]),
    );
    // all with the same digest, or none
    expect(new Set(images).size).toBe(1);
  });

  it('the Dockerfile copies only what .dockerignore leaves in the build context', () => {
    const copied = Array.from(dockerfileText.matchAll(/^COPY (?!--from)(?:--\S+ )*(.+)$/gm), ([, words = '']) =>
      words.split(' ').slice(0, -1),
    ).flat();
    expect(copied).toEqual(expect.arrayContaining(['.', 'package.json', 'scripts/bundle/']));
    expect(copied.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
    expect(copied.filter((path) => path !== '.' && ignored.ignores(path.replace(/\/$/, '')))).toEqual([]);
  });

  it('the local stack and the operations guide have the Node options of the image of feedback-worker', () => {
    const [, options = ''] = /NODE_OPTIONS="([^"]+)"/.exec(dockerfileText) ?? [];
    expect(options).toContain('--max-old-space-size=');
    expect(read('packages/testing/src/stack/apps/leadback-app.ts')).toContain(`nodeOptions: '${options}'`);
    expect(read('docs/operations.md')).toContain(`\`NODE_OPTIONS="${options}"\``);
  });

  it('the build script imports only files that the Dockerfile copies', () => {
    const imported = globSync('scripts/bundle/*.ts', { cwd: repository }).flatMap((file) =>
      Array.from(read(file).matchAll(/from '(\.[^']+)'/g), ([, path]) => path),
    );
    expect(imported.filter((path) => !path?.startsWith('./'))).toEqual([]);
  });
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
  expect(ignored.ignores(path)).toBe(true);
});
