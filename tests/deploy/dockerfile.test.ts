import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Ignore } from '@balena/dockerignore';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apps, commandOf, dockerfileText, settingsOf, stages, stepsOf, textOf } from './dockerfile.ts';
import { repository } from './repository.ts';

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
// its types declare a default export, but the module is a function
const dockerignore: () => Ignore = createRequire(import.meta.url)('@balena/dockerignore');
const ignored = dockerignore().add(read('.dockerignore'));

const manifest = z
  .object({ devDependencies: z.object({ node: z.string() }), scripts: z.object({ bundle: z.string() }) })
  .parse(JSON.parse(read('package.json')));

const steps = stages.flatMap((stage) => stage.steps);
const commands = steps.filter(({ keyword }) => keyword === 'RUN').map(({ text }) => text);
/** What the build copies from the repository. */
const copied = steps
  .filter(({ keyword, flags }) => keyword === 'COPY' && flags['from'] === undefined)
  .flatMap(({ text }) => text.split(/\s+/).slice(0, -1));

describe('the Dockerfile', () => {
  it('the Dockerfile passes the validator', () => {
    expect(validate(dockerfileText)).toEqual([]);
  });

  it('the Dockerfile has one image for each app and for the sandbox, chosen by APP', () => {
    const folders = globSync('apps/*/package.json', { cwd: repository }).map((file) => file.split('/')[1]);
    expect(new Set(apps)).toEqual(new Set([...folders, 'platform-sandbox']));
    expect(stages.at(-1)).toEqual({ name: undefined, base: '$APP', steps: [] });
  });

  it('the Dockerfile uses the Node version of package.json for its builds and images', () => {
    const own = new Set(stages.map(({ name }) => name));
    const bases = stages.map(({ base }) => base).filter((base) => !own.has(base) && !base.startsWith('$'));
    const image = `node:${manifest.devDependencies.node}-bookworm-slim`;
    expect(new Set(bases)).toEqual(new Set([image, 'scratch']));
    expect(dockerfileText).toContain(`ARG BASE=${image}\n`);
  });

  it('the Dockerfile installs from the lockfile, offline after the fetch and without install scripts', () => {
    expect(commands.filter((command) => /^pnpm (fetch|install)/.test(command))).toEqual([
      'pnpm fetch --ignore-scripts',
      'pnpm install --offline --frozen-lockfile --ignore-scripts',
    ]);
  });

  it('the Dockerfile builds with the script that these tests run, and with tools of the Node image and npm', () => {
    expect(commands.at(-1)).toBe('pnpm run bundle "$APP" /image');
    expect(manifest.scripts.bundle).toBe('node scripts/bundle/bundle-app.ts');
    expect(new Set(commands.map((command) => command.split(' ')[0]))).toEqual(
      new Set(['npm', 'turbo', 'mkdir', 'pnpm']),
    );
  });

  it('the Dockerfile copies only what exists and what .dockerignore leaves in the build context', () => {
    expect(copied).toEqual(expect.arrayContaining(['.', 'package.json', 'scripts/bundle/']));
    expect(copied.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
    expect(copied.filter((path) => path !== '.' && ignored.ignores(path.replace(/\/$/, '')))).toEqual([]);
  });

  it('the local stack and the operations guide have the Node options of the image of feedback-worker', () => {
    const options = settingsOf('feedback-worker')['NODE_OPTIONS'] ?? '';
    expect(options).toContain('--max-old-space-size=');
    expect(read('packages/local-stack/src/apps/leadback-app.ts')).toContain(`nodeOptions: '${options}'`);
    expect(read('docs/operations.md')).toContain(`\`NODE_OPTIONS="${options}"\``);
  });

  it('the build script imports only files that the Dockerfile copies', () => {
    const imported = globSync('scripts/bundle/*.ts', { cwd: repository }).flatMap((file) =>
      Array.from(read(file).matchAll(/from '(\.[^']+)'/g), ([, path]) => path),
    );
    expect(imported.filter((path) => !path?.startsWith('./'))).toEqual([]);
  });
});

describe.each(apps)('the image of %s', (app) => {
  it('the image contains only build output and runs no command while it is built', () => {
    const own = stepsOf(app);
    const sources = own.filter(({ keyword }) => keyword === 'COPY').map(({ flags }) => flags['from']);
    expect(new Set(sources)).toEqual(new Set(['build']));
    expect(own.map(({ keyword }) => keyword)).not.toContain('RUN');
  });

  it('the image runs node directly in production mode as a numeric non-root user', () => {
    expect(settingsOf(app)).toMatchObject({ NODE_ENV: 'production' });
    expect(textOf(app, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(textOf(app, 'STOPSIGNAL')).toBe('SIGTERM');
    expect(commandOf(app, 'ENTRYPOINT')).toEqual(['node', 'dist/main.js']);
  });

  it('the image exposes the ports that it sets, and has a health check if it has a port', () => {
    const { PORT, OPERATIONS_PORT, HOST, OPERATIONS_HOST } = settingsOf(app);
    // Docker and Kubernetes reach both from outside the container
    expect([HOST, OPERATIONS_HOST]).toEqual(['0.0.0.0', '0.0.0.0']);
    const ports = [PORT, OPERATIONS_PORT].filter((port) => port !== undefined);
    expect(textOf(app, 'EXPOSE')?.split(' ') ?? []).toEqual(ports);
    expect(commandOf(app, 'HEALTHCHECK').length > 0).toBe(ports.length > 0);
  });
});

it('the image of landing keeps its buffered leads in a volume that its user may write to', () => {
  const volume = textOf('landing', 'VOLUME');
  expect(settingsOf('landing')['LEAD_SPOOL_FOLDER']).toBe(volume);
  const copy = stepsOf('landing').findLast(({ keyword }) => keyword === 'COPY');
  expect([copy?.flags['chown'], `${copy?.text.split(' ').at(-1)}leads`]).toEqual([textOf('landing', 'USER'), volume]);
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
