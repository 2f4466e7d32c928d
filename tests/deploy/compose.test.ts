import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Ignore } from '@balena/dockerignore';
import { DCLinter } from 'dclint';
import { describe, expect, it } from 'vitest';
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
      'deploy/compose/secrets/api.env',
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
  env_file: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
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
const userOf = (url: string | null | undefined) => url?.split(':')[1]?.split('@')[0];

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
    expect(set.filter((name) => !documented.has(name))).toEqual([]);
    const mounted = Object.values(here).flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    expect(mounted.filter((path) => path.startsWith('./') && !existsSync(join(root, path)))).toEqual([]);
  });

  it(`${file} publishes only the ports of Caddy to others, and adds no container with privileges or a disk to write to`, () => {
    const ports = Object.entries(here).flatMap(([name, service]) => (name === 'caddy' ? [] : service.ports));
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    const added = Object.entries(here).flatMap(([name, { cap_add: all }]) => all.map((one) => `${name} ${one}`));
    expect(added.filter((one) => one !== 'caddy NET_BIND_SERVICE')).toEqual([]);
    for (const [name, service] of Object.entries(here)) {
      expect(service).not.toHaveProperty('privileged');
      // servers have a volume of their own
      const isServer = /^(postgres|rabbitmq|prometheus|grafana|jaeger)/.test(name);
      if (service.image === undefined || isServer) continue;
      expect([name, service]).toMatchObject([name, { read_only: true, cap_drop: ['ALL'] }]);
    }
  });
});

it(`every container's log has a limit`, () => {
  const files = ['docker-compose.yml', ...overlays];
  const unlimited = files.flatMap((file) =>
    Object.entries(readServices(file)).filter(([name, service]) => {
      // of a container that another file, or another service, already has
      const isOther = service.extends !== undefined || (file !== 'docker-compose.yml' && services[name] !== undefined);
      return !isOther && service['logging'] === undefined;
    }),
  );
  expect(unlimited).toEqual([]);
});

// new-env.sh turns server.yml on
it.each(overlays.filter((file) => !file.endsWith('/server.yml')))(
  '%s is turned on by the file of the same name for .env',
  (file) => {
    const { COMPOSE_FILE: files } = parseEnv(read(file.replace('.yml', '.env')));
    expect(files).toBe(`docker-compose.yml:${file}`);
  },
);

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
  expect(services['migrate']?.env_file).toEqual(['deploy/compose/secrets/migrate.env']);
  expect(Object.keys(services['migrate']?.environment ?? {})).not.toContain('SECRETS_KEY');
});

it('sandbox.env sends all requests to platforms to the sandbox', () => {
  const { COMPOSE_PROFILES: profiles, ...settings } = parseEnv(read('deploy/compose/sandbox.env'));
  expect(services['sandbox']?.profiles).toEqual([profiles]);
  expect(settings).toEqual({ PLATFORM_SANDBOX_URL: 'http://sandbox:3003' });
});

it('each app gets .env, then its own secrets, and no secret of .env that is for others', () => {
  for (const name of ['landing', 'api', 'feedback-worker', 'console', 'operator']) {
    const { env_file: files, environment } = services[name] ?? {};
    expect(files).toEqual(['.env', `deploy/compose/secrets/${name}.env`]);
    const secret = name === 'console' ? '${OIDC_CLIENT_SECRET:-}' : '';
    expect([name, environment]).toMatchObject([name, { OIDC_CLIENT_SECRET: secret, SMTP_URL: '' }]);
    // the one for everything; the file of each other app has that app's own
    expect('SECRETS_KEY' in (environment ?? {})).toBe(name === 'operator');
  }
});

it('one setting, DATABASE_HOST, leads every app to a PostgreSQL elsewhere, over TLS with a checked certificate', () => {
  const urls = built.flatMap(([, { environment }]) => environment['DATABASE_URL'] ?? []);
  expect(urls).toHaveLength(6);
  for (const url of urls)
    expect(url).toMatch(
      /^postgres:\/\/leadback_\w+@\$\{DATABASE_HOST:-postgres\}\/leadback\$\{DATABASE_HOST:\+\?sslmode=verify-full\}$/,
    );
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
    expect(environment['DATABASE_URL']).toBe(database?.replace(/@.*/, '@postgres-b/leadback'));
    expect(environment['AMQP_URL']).toBe(broker?.replace('5672/leadback', '5672/b'));
    const own = volumes.filter((volume) => !volume.startsWith('./'));
    expect(own.filter((volume) => first?.volumes.includes(volume))).toEqual([]);
  }
  const commands = ['migrate', 'migrate-b'].map((name) => cells[name]?.['command']);
  expect(commands).toEqual(['a', 'b'].map((cell, number) => ['cell', 'create', cell, '--number', String(number)]));
  // with the password of the environment, PGPASSWORD
  expect(JSON.parse(read('deploy/compose/cells.json'))).toEqual({
    a: { databaseUrl: 'postgres://leadback_console@postgres/leadback' },
    b: { databaseUrl: cells['operator-b']?.environment['DATABASE_URL'] },
  });
  for (const name of ['landing', 'api', 'landing-b', 'api-b'])
    expect([name, cells[name]]).toMatchObject([name, { ports: [], environment: { TRUST_PROXY: '1' } }]);
  expect(cells['balancer']?.ports).toEqual(['127.0.0.1:8080:8080']);
});
