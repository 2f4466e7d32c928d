import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { overlays } from './compose-file.ts';
import { repository } from './repository.ts';

// whether the containers work together is seen by `node scripts/run.mjs deploy-check`

const read = (...path: readonly string[]) => readFileSync(join(repository, ...path), 'utf8');

const settings = (text: string, pattern: RegExp) =>
  Object.fromEntries(Array.from(text.matchAll(pattern), ([, name, value]) => [name, value]));

const serviceSchema = z.looseObject({
  image: z.string().optional(),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).nullish(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).default([]),
});
const fileSchema = z.object({ services: z.record(z.string(), serviceSchema) });

describe.each([...overlays])('deploy/compose/%s.yml', (name, text) => {
  // !override and !reset replace what the file below has
  const { services } = fileSchema.parse(parse(text, { merge: true, logLevel: 'error' }));

  it('is turned on by the file of the same name for .env', () => {
    const { COMPOSE_FILE: files = '' } = parseEnv(read('deploy', 'compose', `${name}.env`));
    expect(files.split(':')).toEqual(['docker-compose.yml', `deploy/compose/${name}.yml`]);
  });

  it('mounts only files that exist, and publishes ports to this machine only', () => {
    const mounted = Object.values(services).flatMap(({ volumes }) =>
      volumes.filter((volume) => volume.startsWith('./')).map((volume) => volume.split(':')[0] ?? ''),
    );
    expect(mounted.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('adds only containers with a read-only root and without capabilities', () => {
    const added = Object.entries(services).filter(
      ([, { image }]) => image !== undefined && !image.startsWith('postgres:'),
    );
    for (const [, service] of added) expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });
});

it('PgBouncer gives each session the settings with which the apps connect', () => {
  const source = read('packages', 'db', 'src', 'database.ts');
  const ofApps = settings(source, /-c (\w+)=(\w+)/g);
  const [, statementMs = ''] = /statementUsualMs = (\d[\d_]*)/.exec(source) ?? [];
  expect(settings(read('deploy', 'pgbouncer', 'pgbouncer.ini'), /set (\w+) = (\w+)/g)).toEqual({
    ...ofApps,
    statement_timeout: statementMs.replaceAll('_', ''),
  });
});
