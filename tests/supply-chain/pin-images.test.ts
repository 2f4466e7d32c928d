import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import {
  imageFiles,
  namedImages,
  pinnedDigest,
  withoutDigest,
} from '../../scripts/supply-chain/pinning/image-names.ts';
import { givenRegistry } from './given-registry.ts';
import { runScript } from './run-task.ts';

const root = join(import.meta.dirname, '..', '..');
const digest = (digit: string) => `sha256:${digit.repeat(64)}`;

const newFolder = () => mkdtemp(join(inject('temporaryFolder'), 'pins-'));

/** A folder with these files. */
const givenFolder = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await newFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
};

const dockerfile = `ARG APP
ARG BASE=node:24
ARG MIRROR=https://example.com/
FROM node:24 AS tools
FROM --platform=linux/amd64 tools AS build
FROM scratch AS minimal
FROM $BASE AS app
FROM $APP
`;
const compose = `services:
  postgres:
    image: postgres:18-alpine # floating
  api:
    image: leadback-api:local
`;
const deployment = `containers:
  - image: "prom/prometheus:v3"
  - image: registry.example.com/leadback-api:1.0.0
`;
const files = { Dockerfile: dockerfile, 'docker-compose.yml': compose, 'deploy/kubernetes/base/app.yaml': deployment };
const images = new Map([
  ['library/node:24', digest('1')],
  ['library/postgres:18-alpine', digest('2')],
  ['prom/prometheus:v3', digest('3')],
]);

const pin = (folder: string, registry: string, ...args: readonly string[]) =>
  runScript('pin-images', '--folder', folder, '--registry', registry, ...args);

describe('npm run pin-images', () => {
  it('writes the digest behind the tag of each image of others, and asks for each once', async () => {
    await using registry = await givenRegistry({ images });
    const folder = await givenFolder(files);
    const read = (file: string) => readFile(join(folder, file), 'utf8');
    expect(await pin(folder, registry.url)).toMatchObject({ status: 0 });
    expect(registry.requests.toSorted()).toEqual([
      'HEAD library/node:24',
      'HEAD library/postgres:18-alpine',
      'HEAD prom/prometheus:v3',
    ]);
    expect(await read('Dockerfile')).toBe(dockerfile.replaceAll('node:24', `node:24@${digest('1')}`));
    expect(await read('docker-compose.yml')).toBe(compose.replace('-alpine', `-alpine@${digest('2')}`));
    expect(await read('deploy/kubernetes/base/app.yaml')).toBe(deployment.replace(':v3', `:v3@${digest('3')}`));
    expect(await pin(folder, registry.url, '--check')).toMatchObject({ status: 0 });
  });

  it('--check writes nothing, and names each image that is not pinned or whose tag was moved', async () => {
    await using registry = await givenRegistry({ images });
    const moved = `FROM node:24@${digest('9')} AS tools\n`;
    const folder = await givenFolder({ ...files, Dockerfile: moved });
    const { status, output } = await pin(folder, registry.url, '--check');
    expect(status).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      'docker-compose.yml:3: postgres:18-alpine is not pinned. Run: npm run pin-images',
      'deploy/kubernetes/base/app.yaml:2: prom/prometheus:v3 is not pinned. Run: npm run pin-images',
      `Dockerfile:1: node:24@${digest('9')} is pinned, but the tag is ${digest('1')} now. Run: npm run pin-images`,
    ]);
    expect(await readFile(join(folder, 'Dockerfile'), 'utf8')).toBe(moved);
  });

  it('replaces the digest of a tag that was moved', async () => {
    await using registry = await givenRegistry({ images, withTokens: false });
    const folder = await givenFolder({ Dockerfile: `FROM node:24@${digest('9')}\n` });
    expect(await pin(folder, registry.url)).toMatchObject({ status: 0 });
    expect(await readFile(join(folder, 'Dockerfile'), 'utf8')).toBe(`FROM node:24@${digest('1')}\n`);
  });

  it('asks the registry that an image names', async () => {
    await using registry = await givenRegistry({ images: new Map([['team/base:1', digest('4')]]) });
    const image = `${registry.url.replace('http://', '')}/team/base:1`;
    const folder = await givenFolder({ Dockerfile: `FROM ${image}\n` });
    expect(await pin(folder, 'http://127.0.0.1:1')).toMatchObject({ status: 0 });
    expect(await readFile(join(folder, 'Dockerfile'), 'utf8')).toBe(`FROM ${image}@${digest('4')}\n`);
  });

  it('changes no file if one digest is unknown, and says why', async () => {
    await using registry = await givenRegistry({ images: new Map([...images].slice(1)) });
    const folder = await givenFolder(files);
    const { status, output } = await pin(folder, registry.url);
    expect(status).toBe(2);
    expect(output).toMatch(
      /^node:24: 404 from 127\.0\.0\.1:\d+: the registry does not have it\. Check its name and tag\n/,
    );
    expect(await readFile(join(folder, 'docker-compose.yml'), 'utf8')).toBe(compose);
  });

  it('says that a registry cannot be reached, and changes no file', async () => {
    const registry = await givenRegistry({ images });
    await registry[Symbol.asyncDispose]();
    const folder = await givenFolder(files);
    const { status, output } = await pin(folder, registry.url);
    expect(status).toBe(2);
    expect(output).toContain(`postgres:18-alpine: cannot reach ${new URL(registry.url).host}: `);
    expect(await readFile(join(folder, 'Dockerfile'), 'utf8')).toBe(dockerfile);
  });

  it('finds all images of others in this repository: each with a tag, and after pinning each with a digest', async () => {
    const folder = await newFolder();
    for (const file of imageFiles(root)) await cp(join(root, file), join(folder, file));
    const names = [...new Set(namedImages(root).map(({ image }) => withoutDigest(image)))];
    expect(names.map((name) => name.replace(/:.*/, ''))).toEqual([
      'node',
      'postgres',
      'rabbitmq',
      'prom/prometheus',
      'grafana/grafana',
      'haproxy',
      'edoburu/pgbouncer',
    ]);
    const paths = names.map((name) => (name.includes('/') ? name : `library/${name}`));
    await using registry = await givenRegistry({ images: new Map(paths.map((path) => [path, digest('5')])) });
    expect(await pin(folder, registry.url)).toMatchObject({ status: 0 });
    expect(namedImages(folder).filter(({ image }) => pinnedDigest(image) !== digest('5'))).toEqual([]);
  });
});
