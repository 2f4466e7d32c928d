import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { services as firstCell } from './compose-file.ts';
import { repository } from './repository.ts';

const read = (...path: readonly string[]) => readFileSync(join(repository, 'deploy', ...path), 'utf8');

const overlaySchema = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      extends: z.strictObject({ file: z.literal('docker-compose.yml'), service: z.string() }).optional(),
      environment: z.record(z.string(), z.string().nullable()).default({}),
      ports: z.array(z.string()).optional(),
      volumes: z.array(z.string()).default([]),
    }),
  ),
});
// !override and !reset replace what the file below has
const { services } = overlaySchema.parse(parse(read('compose', 'cells.yml'), { merge: true, logLevel: 'error' }));
const ofB = Object.entries(services).filter(([name]) => name.endsWith('-b'));
const withoutPassword = (url: string | null | undefined) => url?.replace(/^(\w+:\/\/[\w-]+):.*@/, '$1@');

const inB = (url: string | null | undefined) =>
  withoutPassword(url)?.replace('@postgres:', '@postgres-b:').replace('rabbitmq:5672/leadback', 'rabbitmq:5672/b');
const namedVolumes = (all: readonly (readonly string[])[]) =>
  all.flat().flatMap((volume) => (volume.startsWith('./') ? [] : [volume.split(':')[0]]));

it('each service of cell b is one of the first cell with another database and virtual host', () => {
  expect(ofB.map(([name]) => name).toSorted()).toEqual([
    'api-b',
    'feedback-worker-b',
    'landing-b',
    'migrate-b',
    'operator-b',
    'postgres-b',
  ]);
  for (const [name, service] of ofB) {
    const base = firstCell[service.extends?.service ?? ''];
    expect(`${service.extends?.service}-b`).toBe(name);
    expect(withoutPassword(service.environment['DATABASE_URL'])).toBe(inB(base?.environment['DATABASE_URL']));
    expect(withoutPassword(service.environment['AMQP_URL'])).toBe(inB(base?.environment['AMQP_URL']));
  }
});

it('cell b shares no data with the first cell', () => {
  const ofFirst = namedVolumes(Object.values(firstCell).map((service) => service.volumes));
  expect(namedVolumes(ofB.map(([, service]) => service.volumes)).filter((name) => ofFirst.includes(name))).toEqual([]);
});

it('the cells have different numbers, and the operator lists both', () => {
  const numbers = ['migrate', 'migrate-b'].map((name) => z.array(z.string()).parse(services[name]?.['command']));
  expect(numbers).toEqual([
    ['cell', 'create', 'a', '--number', '0'],
    ['cell', 'create', 'b', '--number', '1'],
  ]);
  const cells = z
    .record(z.string(), z.object({ databaseUrl: z.string() }))
    .parse(JSON.parse(read('compose', 'cells.json')));
  const urls = Object.entries(cells).map(([name, { databaseUrl }]) => [name, databaseUrl]);
  expect(urls).toEqual([
    ['a', firstCell['operator']?.environment['DATABASE_URL']],
    ['b', services['operator-b']?.environment['DATABASE_URL']],
  ]);
});

it('landing and api of both cells are reached through the balancer alone, and trust it alone', () => {
  for (const name of ['landing', 'api', 'landing-b', 'api-b']) {
    expect([name, services[name]?.ports, services[name]?.environment['TRUST_PROXY']]).toEqual([name, [], '1']);
  }
  expect(services['balancer']?.ports).toEqual(['127.0.0.1:8080:8080']);
});
