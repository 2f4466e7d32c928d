import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Ignore } from '@balena/dockerignore';
import { keyedApps, masterKeysSchema, writeAppKeys } from '@leadback/domain/keys';
import { platformList } from '@leadback/platforms';
import { DCLinter } from 'dclint';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../support/code-blocks.ts';

// whether the containers work together is seen by `npm run test:long -- containers`

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const allOf = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name = '']) => name);

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  // its types declare a default export, but the module is a function
  const dockerignore: () => Ignore = createRequire(import.meta.url)('@balena/dockerignore');
  const ignored = dockerignore().add(read('.dockerignore'));

  it('the Dockerfile has one image for each app and for the sandbox, and compose builds all of them', () => {
    const images = allOf(dockerfile, /^FROM app AS (\S+)$/gm);
    const folders = globSync('apps/*/package.json', { cwd: root }).map((file) => file.split('/')[1]);
    expect(new Set(images)).toEqual(new Set([...folders, 'platform-sandbox']));
    expect(new Set(allOf(read('docker-compose.yml'), /APP: ([\w-]+)/g))).toEqual(new Set(images));
  });

  it('the Dockerfile uses the Node version of package.json for its builds and images', () => {
    const manifest = z.object({ devDependencies: z.object({ node: z.string() }) });
    const { node } = manifest.parse(JSON.parse(read('package.json'))).devDependencies;
    const images = new Set(allOf(dockerfile, /\b(node:[\d.]+\S*)/g));
    // all with the same digest, or none
    expect([...images].map((image) => image.split('@')[0])).toEqual([`node:${node}-bookworm-slim`]);
  });

  it('the Dockerfile copies only what exists and what .dockerignore leaves: neither secrets nor builds nor tests', () => {
    const copied = allOf(dockerfile, /^COPY (?!--from)(?:--\S+ )*(.+)$/gm).flatMap((words) =>
      words.split(' ').slice(0, -1),
    );
    expect(copied).toEqual(expect.arrayContaining(['.', 'package.json', 'scripts/bundle/']));
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(copied.filter((path) => path !== '.' && ignored.ignores(path.replace(/\/$/, '')))).toEqual([]);
    // of which the build imports nothing else
    const imported = globSync('scripts/bundle/*.ts', { cwd: root }).flatMap((file) =>
      allOf(read(file), /from '(\.[^']+)'/g),
    );
    expect(imported.filter((path) => !path.startsWith('./'))).toEqual([]);
    const left = [
      '.env',
      '.git/config',
      '.leadback/running.json',
      'apps/api/.turbo/log',
      'apps/api/dist/main.js',
      'apps/api/node_modules/express/index.js',
      'apps/api/test/given-api.ts',
      'node_modules/node/bin/node',
      'packages/platforms/src/sha256.test.ts',
    ].filter((path) => !ignored.ignores(path));
    expect(left).toEqual([]);
  });

  it('the local stack and the document of production have the Node options of the image of feedback-worker', () => {
    const [options = ''] = allOf(dockerfile, /NODE_OPTIONS="([^"]+)"/g);
    expect(options).toContain('--max-old-space-size=');
    expect(read('packages/testing/src/stack/apps/leadback-app.ts')).toContain(`nodeOptions: '${options}'`);
    expect(read('docs/production.md')).toContain(`\`NODE_OPTIONS="${options}"\``);
  });
});

const serviceSchema = z.looseObject({
  image: z.string().optional(),
  extends: z.strictObject({ file: z.literal('docker-compose.yml'), service: z.string() }).optional(),
  build: z.strictObject({ context: z.literal('.'), args: z.strictObject({ APP: z.string() }) }).optional(),
  profiles: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  env_file: z.array(z.object({ path: z.string(), required: z.boolean() })).default([]),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
});
const readServices = (file: string) =>
  // !override and !reset replace what the file below has
  z
    .object({ services: z.record(z.string(), serviceSchema) })
    .parse(parse(read(file), { merge: true, logLevel: 'error' })).services;

const services = readServices('docker-compose.yml');
const overlays = globSync('deploy/compose/*.yml', { cwd: root });
const built = Object.entries(services).filter(([, { build }]) => build !== undefined);
const userOf = (url: string | null | undefined) => url?.split(':')[1];

describe.each(['docker-compose.yml', ...overlays])('%s', (file) => {
  const here = readServices(file);

  it(`${file} names only services, settings and files that exist`, () => {
    const known = new Set([...Object.keys(services), ...Object.keys(here)]);
    const named = Object.values(here).flatMap((one) =>
      [one.extends?.service ?? [], Object.keys(one.depends_on)].flat(),
    );
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    const documented = new Set(allOf(read('.env.example'), /^(?:# )?([A-Z_]+)=/gm));
    const isOfApp = (name: string, service = here[name]) =>
      built.some(([app]) => app === (service?.extends?.service ?? name));
    const set = Object.keys(here)
      .filter((name) => isOfApp(name))
      .flatMap((name) => Object.keys(here[name]?.environment ?? {}));
    // for the URLs in cells.json
    expect(set.filter((name) => !documented.has(name) && name !== 'LEADBACK_CONSOLE_PASSWORD')).toEqual([]);
    const mounted = Object.values(here).flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    expect(mounted.filter((path) => path.startsWith('./') && !existsSync(join(root, path)))).toEqual([]);
  });

  it(`${file} publishes ports to this machine only, and adds no container with privileges or a disk to write to`, () => {
    const ports = Object.values(here).flatMap((service) => service.ports);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    for (const [name, service] of Object.entries(here)) {
      expect(service).not.toHaveProperty('privileged');
      // servers have a volume of their own
      const isServer = /^(postgres|rabbitmq|prometheus|grafana|jaeger)/.test(name);
      if (service.image === undefined || isServer) continue;
      expect([name, service]).toMatchObject([name, { read_only: true, cap_drop: ['ALL'] }]);
    }
  });
});

it.each(overlays)('%s is turned on by the file of the same name for .env', (file) => {
  const { COMPOSE_FILE: files } = parseEnv(read(file.replace('.yml', '.env')));
  expect(files).toBe(`docker-compose.yml:${file}`);
});

it('docker-compose.yml follows the Compose Specification', () => {
  // the order of keys is free, and an image that is built here also has a name
  const free = [
    'no-build-and-image',
    'service-keys-order',
    'services-alphabetical-order',
    'top-level-properties-order',
  ];
  const rules = Object.fromEntries(free.map((rule) => [rule, 0]));
  const linter = new DCLinter({ rules, quiet: true, debug: false, exclude: [] });
  expect(linter.lintFiles([join(root, 'docker-compose.yml')], false)).toMatchObject([{ messages: [] }]);
});

it('compose runs each app without privileges, on a read-only disk, with CPU and memory limits, and as its own user of PostgreSQL and RabbitMQ', () => {
  for (const [name, service] of built) {
    expect([name, service]).toMatchObject([
      name,
      {
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        deploy: { resources: { limits: { cpus: expect.any(String), memory: expect.any(String) } } },
      },
    ]);
    expect(service).not.toHaveProperty('user');
  }
  const users = (setting: string) =>
    built.flatMap(([name, { environment }]) => (setting in environment ? [[name, userOf(environment[setting])]] : []));
  const roles = built.flatMap(([name]) => {
    const role = { migrate: 'owner', operator: 'console' }[name] ?? name.replaceAll('-', '_');
    return name === 'sandbox' ? [] : [[name, `//leadback_${role}`]];
  });
  expect(users('DATABASE_URL')).toEqual(roles);
  expect(users('AMQP_URL')).toEqual(
    ['operator', 'landing', 'api', 'feedback-worker'].map((name) => [name, `//${name}`]),
  );
  // it gets no key
  expect(Object.keys(services['migrate']?.environment ?? {})).toEqual(['ALLOW_UNENCRYPTED_SERVERS', 'DATABASE_URL']);
});

it('sandbox.env sends all requests to platforms to the sandbox', () => {
  const { COMPOSE_PROFILES: profiles, ...settings } = parseEnv(read('deploy/compose/sandbox.env'));
  expect(services['sandbox']?.profiles).toEqual([profiles]);
  expect(settings).toEqual({ PLATFORM_SANDBOX_URL: 'http://sandbox:3003' });
  const platforms = new Set(platformList.flatMap(({ env }) => Object.keys(env)));
  for (const name of ['feedback-worker', 'operator', 'console']) {
    const set = Object.keys(services[name]?.environment ?? {});
    expect(set).toContain('PLATFORM_SANDBOX_URL');
    // they come from settings.env, so that a new platform needs no line here
    expect(set.filter((one) => platforms.has(one))).toEqual([]);
  }
});

const pairsOf = (text: string, pattern: RegExp) =>
  Object.fromEntries(Array.from(text.matchAll(pattern), ([, name, value]) => [name, value]));

it('PgBouncer gives each session the settings with which the apps connect', () => {
  const source = read('packages/db/src/connect.ts');
  const [statementMs = ''] = allOf(source, /statementUsualMs = (\d[\d_]*)/g);
  expect(pairsOf(read('deploy/pgbouncer/pgbouncer.ini'), /set (\w+) = (\w+)/g)).toEqual({
    ...pairsOf(source, /-c (\w+)=(\w+)/g),
    statement_timeout: statementMs.replaceAll('_', ''),
  });
});

it('cell b shares no database, virtual host, data or number with the first, and both are reached through the balancer alone', () => {
  const cells = readServices('deploy/compose/cells.yml');
  const ofB = Object.entries(cells).filter(([name]) => name.endsWith('-b'));
  for (const [name, { extends: base, environment, volumes }] of ofB) {
    expect(`${base?.service}-b`).toBe(name);
    const first = services[base?.service ?? ''];
    const { DATABASE_URL: database, AMQP_URL: broker } = first?.environment ?? {};
    expect(environment['DATABASE_URL']).toBe(database?.replace('@postgres:', '@postgres-b:'));
    expect(environment['AMQP_URL']).toBe(broker?.replace('5672/leadback', '5672/b'));
    const own = volumes.filter((volume) => !volume.startsWith('./'));
    expect(own.filter((volume) => first?.volumes.includes(volume))).toEqual([]);
  }
  const commands = ['migrate', 'migrate-b'].map((name) => cells[name]?.['command']);
  expect(commands).toEqual(['a', 'b'].map((cell, number) => ['cell', 'create', cell, '--number', String(number)]));
  expect(JSON.parse(read('deploy/compose/cells.json'))).toMatchObject({
    a: { databaseUrl: services['operator']?.environment['DATABASE_URL'] },
    b: { databaseUrl: cells['operator-b']?.environment['DATABASE_URL'] },
  });
  for (const name of ['landing', 'api', 'landing-b', 'api-b'])
    expect([name, cells[name]]).toMatchObject([name, { ports: [], environment: { TRUST_PROXY: '1' } }]);
  expect(cells['balancer']?.ports).toEqual(['127.0.0.1:8080:8080']);
});

const givenFile = async () => join(await mkdtemp(join(inject('temporaryFolder'), 'env-')), '.env');

describe('new-env.sh', () => {
  const script = join(root, 'deploy/compose/new-env.sh');
  const run = (...words: readonly string[]) => spawnSync('sh', [script, ...words], { encoding: 'utf8' });
  const variables = () => parseEnv(run().stdout);
  /** Those that are different at each call. */
  const secrets = () => {
    const { POSTGRES_SHARED_BUFFERS: _size, ...others } = variables();
    return others;
  };

  it('new-env.sh generates every required secret, never twice the same, and compose names the script if one is missing', () => {
    const text = ['docker-compose.yml', ...overlays].map(read).join('\n');
    const required = allOf(text, /\$\{(\w+):\?missing in \.env; sh deploy\/compose\/new-env\.sh/g);
    const made = secrets();
    // an older .env has none for single apps
    const names = Object.keys(made).filter((name) => !name.endsWith('_SECRETS_KEY'));
    expect(new Set(allOf(text, /\$\{(\w+)(?!\w|:-)/g))).toEqual(new Set(names));
    expect(new Set(required)).toEqual(new Set(names));
    const values = [...Object.values(made), ...Object.values(secrets())];
    expect(new Set(values).size).toBe(values.length);
  });

  it('new-env.sh generates the keys of each app, and compose gives each app no others', () => {
    const { SECRETS_KEY: all, ...others } = secrets();
    for (const app of keyedApps) {
      const name = `${app.toUpperCase().replaceAll('-', '_')}_SECRETS_KEY`;
      // a purpose that keys.ts has and new-env.sh lacks, or the other way round
      expect(others[name]).toBe(writeAppKeys(masterKeysSchema.parse(all), app));
      expect(services[app]?.environment['SECRETS_KEY']).toMatch(new RegExp(`^\\$\\{${name}:-`));
    }
  });

  it.each(['sh "$1" "$2"', 'sh "$1" > "$2"'])('new-env.sh leaves its file to its owner alone: %s', async (line) => {
    const file = await givenFile();
    execFileSync('sh', ['-c', `umask 022; ${line}`, 'sh', script, file]);
    expect(Object.keys(parseEnv(readFileSync(file, 'utf8')))).toEqual(Object.keys(variables()));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('new-env.sh never replaces a file, and so no key of data', async () => {
    const file = await givenFile();
    expect(run(file)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const written = readFileSync(file, 'utf8');
    expect(run(file)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(`${file} exists`) });
    expect(readFileSync(file, 'utf8')).toBe(written);
  });

  it('new-env.sh prints no secrets for --help and unknown options, but its usage', () => {
    const usage = expect.stringMatching(/^sh deploy\/compose\/new-env\.sh \.env .*\n.*\n$/);
    expect(run('--help')).toMatchObject({ status: 0, stdout: usage, stderr: '' });
    for (const words of [['--hepl'], [''], ['one', 'two']])
      expect(run(...words)).toMatchObject({ status: 2, stdout: '', stderr: usage });
  });

  // elsewhere nothing says how much memory Docker has
  it.runIf(existsSync('/proc/meminfo'))(
    "new-env.sh gives PostgreSQL a quarter of the machine's memory as buffers",
    () => {
      const { POSTGRES_SHARED_BUFFERS: buffers = '' } = variables();
      expect(buffers).toMatch(/^\d+MB$/);
      expect(Math.abs(Number.parseInt(buffers, 10) - totalmem() / 4 / 1024 ** 2)).toBeLessThan(1);
    },
  );
});
