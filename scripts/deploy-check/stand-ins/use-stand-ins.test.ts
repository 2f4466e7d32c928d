import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { useStandIns } from './use-stand-ins.ts';

const digest = `sha256:${'1'.repeat(64)}`;
const dockerfile = `ARG BASE=node:24@${digest}\nFROM node:24@${digest} AS tools\nFROM $BASE\n`;
const compose = `    image: postgres:18@${digest}\n    image: grafana/grafana:12@${digest}\n`;

/** Stands in for docker. Images by name; a stand-in has a version. */
const engineWith = (images: Readonly<Record<string, string>>) => ({
  tryDocker: async (...args: readonly string[]) => {
    const label = images[args.at(-1) ?? ''];
    return { status: label === undefined ? 1 : 0, stdout: `${label ?? ''}\n`, output: '' };
  },
});

const givenFolder = async () => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'stand-ins-'));
  writeFileSync(join(folder, 'Dockerfile'), dockerfile);
  writeFileSync(join(folder, 'docker-compose.yml'), compose);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  return { folder, read };
};

it('images that are pinned are named by their tags while stand-ins have these, and as before afterwards', async () => {
  const { folder, read } = await givenFolder();
  const restore = await useStandIns(engineWith({ 'node:24': 'v1', 'postgres:18': 'v1' }), folder);
  expect(read('Dockerfile')).toBe(dockerfile.replaceAll(`@${digest}`, ''));
  expect(read('docker-compose.yml')).toBe(compose.replace(`@${digest}`, ''));
  restore();
  expect([read('Dockerfile'), read('docker-compose.yml')]).toEqual([dockerfile, compose]);
});

it('an image keeps its digest if it was pulled, also beside a stand-in', async () => {
  const { folder, read } = await givenFolder();
  const pulled = { [`node:24@${digest}`]: '', 'node:24': 'v1', 'postgres:18': '' };
  await useStandIns(engineWith(pulled), folder);
  expect([read('Dockerfile'), read('docker-compose.yml')]).toEqual([dockerfile, compose]);
});
