import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { platformList } from '@leadback/platforms';
import { keyedApps, masterKeysSchema, writeAppKeys } from '@leadback/domain/keys';
import { DCLinter } from 'dclint';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { composeText, newSecrets, newVariables, overlays, services } from './compose-file.ts';
import { apps } from './dockerfile-text.ts';
import { drainSeconds } from './kubernetes/drain-seconds.ts';
import { repository } from './repository.ts';

const read = (...path: readonly string[]) => readFileSync(join(repository, ...path), 'utf8');
const built = Object.entries(services).filter(([, { build }]) => build !== undefined);

const findings = z.array(z.object({ messages: z.array(z.object({ line: z.number(), message: z.string() })) }));

it('docker-compose.yml follows the Compose Specification and publishes ports to this machine only', () => {
  // the order of keys is free, and an image that is built here also has a name
  const rules = [
    'no-build-and-image',
    'service-keys-order',
    'services-alphabetical-order',
    'top-level-properties-order',
  ];
  const off = Object.fromEntries(rules.map((rule) => [rule, 0]));
  const linter = new DCLinter({ rules: off, quiet: true, debug: false, exclude: [] });
  const files = findings.parse(linter.lintFiles([join(repository, 'docker-compose.yml')], false));
  expect(files).toEqual([{ messages: [] }]);
});

it('new-env.sh generates every required secret, and compose names the script if one is missing', () => {
  const text = [composeText, ...overlays.values()].join('\n');
  const asked = Array.from(text.matchAll(/\$\{(\w+)(?!\w|:-)/g), ([, name]) => name);
  const required = Array.from(
    text.matchAll(/\$\{(\w+):\?missing in \.env; sh deploy\/compose\/new-env\.sh/g),
    ([, name]) => name,
  );
  // an older .env has none for single apps
  const made = Object.keys(newSecrets()).filter((name) => !name.endsWith('_SECRETS_KEY'));
  expect(new Set(asked)).toEqual(new Set(made));
  expect(new Set(required)).toEqual(new Set(made));
});

it('new-env.sh generates the keys of each app, and compose gives each app no others', () => {
  const { SECRETS_KEY: all, ...others } = newSecrets();
  for (const app of keyedApps) {
    const name = `${app.toUpperCase().replaceAll('-', '_')}_SECRETS_KEY`;
    // a purpose that keys.ts has and new-env.sh lacks, or the other way round
    expect(others[name]).toBe(writeAppKeys(masterKeysSchema.parse(all), app));
    expect(services[app]?.environment['SECRETS_KEY']).toMatch(new RegExp(`^\\$\\{${name}:-`));
  }
});

const newEnv = join(repository, 'deploy', 'compose', 'new-env.sh');
const runNewEnv = (...words: readonly string[]) => spawnSync('sh', [newEnv, ...words], { encoding: 'utf8' });

it.each(['sh "$1" "$2"', 'sh "$1" > "$2"'])('new-env.sh leaves its file to its owner alone: %s', async (line) => {
  const file = join(await mkdtemp(join(inject('temporaryFolder'), 'env-')), '.env');
  execFileSync('sh', ['-c', `umask 022; ${line}`, 'sh', newEnv, file]);
  expect(Object.keys(parseEnv(readFileSync(file, 'utf8')))).toEqual(Object.keys(newVariables()));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('new-env.sh never replaces a file, and so no key of data', async () => {
  const file = join(await mkdtemp(join(inject('temporaryFolder'), 'env-')), '.env');
  expect(runNewEnv(file)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const written = readFileSync(file, 'utf8');
  expect(runNewEnv(file)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(`${file} exists`) });
  expect(readFileSync(file, 'utf8')).toBe(written);
});

it('new-env.sh prints no secrets for --help and unknown options, but its usage', () => {
  const usage = expect.stringMatching(/^sh deploy\/compose\/new-env\.sh \.env .*\n.*\n$/);
  expect(runNewEnv('--help')).toMatchObject({ status: 0, stdout: usage, stderr: '' });
  for (const words of [['--hepl'], [''], ['one', 'two']])
    expect(runNewEnv(...words)).toMatchObject({ status: 2, stdout: '', stderr: usage });
});

it('new-env.sh never generates the same secret twice', () => {
  const secrets = [newSecrets(), newSecrets()].flatMap((variables) => Object.values(variables));
  expect(new Set(secrets).size).toBe(2 * Object.keys(newSecrets()).length);
});

// elsewhere nothing says how much memory Docker has
it.runIf(existsSync('/proc/meminfo'))(
  "new-env.sh gives PostgreSQL a quarter of the machine's memory as buffers",
  () => {
    const { POSTGRES_SHARED_BUFFERS: buffers = '' } = newVariables();
    expect(buffers).toMatch(/^\d+MB$/);
    expect(Math.abs(Number.parseInt(buffers, 10) - totalmem() / 4 / 1024 ** 2)).toBeLessThan(1);
  },
);

it('compose builds all images of the repository', () => {
  expect(new Set(built.map(([, { build }]) => build?.args.APP))).toEqual(new Set(apps));
});

it('compose mounts only files that exist', () => {
  const mounted = Object.values(services).flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
  const missing = mounted.filter((path) => path.startsWith('./') && !existsSync(join(repository, path)));
  expect(missing).toEqual([]);
});

describe.each(built)('the service %s', (_name, service) => {
  it('runs each app without privileges, on a read-only disk and with CPU and memory limits', () => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      deploy: { resources: { limits: { cpus: expect.any(String), memory: expect.any(String) } } },
    });
    expect(service).not.toHaveProperty('user');
    expect(service).not.toHaveProperty('privileged');
  });

  it('sets only settings that .env.example documents', () => {
    const known = Array.from(read('.env.example').matchAll(/^(?:# )?([A-Z_]+)=/gm), ([, name]) => name);
    expect(known).toEqual(expect.arrayContaining(Object.keys(service.environment)));
  });
});

it.each(Object.entries(drainSeconds))('compose gives %s enough time to shut down gracefully', (name, seconds) => {
  const [, given] = /^(\d+)s$/.exec(services[name]?.stop_grace_period ?? '') ?? [];
  expect(Number(given)).toBeGreaterThanOrEqual(seconds);
});

it('the migration gets no key', () => {
  expect(Object.keys(services['migrate']?.environment ?? {})).toEqual(['ALLOW_UNENCRYPTED_SERVERS', 'DATABASE_URL']);
});

it('each app connects as its own role, and only the migration as leadback_owner', () => {
  const users = Object.entries(services).map(([name, { environment }]) => [
    name,
    environment['DATABASE_URL']?.split(':')[1],
  ]);
  expect(Object.fromEntries(users)).toMatchObject({
    migrate: '//leadback_owner',
    operator: '//leadback_console',
    console: '//leadback_console',
    landing: '//leadback_landing',
    api: '//leadback_api',
    'feedback-worker': '//leadback_feedback_worker',
  });
});

it('each service that uses RabbitMQ has its own user', () => {
  const users = Object.entries(services).flatMap(
    ([
      name,
      {
        environment: { AMQP_URL: url },
      },
    ]) => (url === undefined ? [] : [[name, url?.split(':')[1]]]),
  );
  expect(Object.fromEntries(users)).toEqual({
    operator: '//operator',
    landing: '//landing',
    api: '//api',
    'feedback-worker': '//feedback-worker',
  });
});

it('sandbox.env sends all requests to platforms to the sandbox', () => {
  const { COMPOSE_PROFILES: profiles, ...settings } = parseEnv(read('deploy', 'compose', 'sandbox.env'));
  expect(services['sandbox']?.profiles).toEqual([profiles]);
  expect(settings).toEqual({ PLATFORM_SANDBOX_URL: 'http://sandbox:3003' });
  const platforms = new Set(platformList.flatMap(({ env }) => Object.keys(env)));
  for (const name of ['feedback-worker', 'operator', 'console']) {
    const set = Object.keys(services[name]?.environment ?? {});
    expect(set).toEqual(expect.arrayContaining(Object.keys(settings)));
    // they come from platforms.env, so that a new platform needs no line here
    expect(set.filter((one) => platforms.has(one))).toEqual([]);
    expect(services[name]?.env_file).toEqual([{ path: 'platforms.env', required: false }]);
  }
});
