import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findInterpreter } from '@leadback/testing/stack';
import { shared, testMaxMs } from '@leadback/testing';
import express from 'express';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { documentationRouter } from '../src/documentation/documentation-router.ts';
import { writePackages } from '../src/documentation/sdk/write-packages.ts';
import { givenApi, givenPartner } from './given-api.ts';

const execute = promisify(execFile);
const givenFolder = (name: string) => mkdtemp(join(inject('temporaryFolder'), name));

const versionSchema = z.object({ version: z.string() });

describe('the SDKs as packages', async () => {
  const api = await shared(givenApi());
  const packages = await givenFolder('packages-');
  const server = createServer(express().use(documentationRouter([], () => Promise.resolve(packages))));
  let url: string;
  let wheel: string;
  let sold: { readonly env: NodeJS.ProcessEnv; readonly sale: string };

  beforeAll(async () => {
    writePackages(packages);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${z.object({ port: z.int() }).parse(server.address()).port}/docs`;
    const manifest = join(import.meta.dirname, '..', '..', '..', 'packages', 'sdk', 'package.json');
    const { version } = versionSchema.parse(JSON.parse(await readFile(manifest, 'utf8')));
    wheel = `leadback-${version}-py3-none-any.whl`;
    const { key } = await givenPartner(api);
    sold = {
      env: { ...process.env, LEADBACK_KEY: key, LEADBACK_URL: `http://127.0.0.1:${api.port}/api/v1` },
      sale: JSON.stringify({ clientExternalReference: 'C1', amount: 10, currency: 'USD' }),
    };
  }, testMaxMs);
  afterAll(() => {
    server.close();
  });

  it('npm installs the one for JavaScript from the URL of an api, for import and require, and it sells', async () => {
    const folder = await givenFolder('shop-');
    await writeFile(join(folder, 'package.json'), '{"name": "shop", "private": true}');
    const options = { cwd: folder, env: sold.env };
    await execute('npm', ['install', '--no-audit', '--no-fund', `${url}/leadback-sdk.tgz`], options);
    const use = `
      const { LEADBACK_KEY: apiKey, LEADBACK_URL: baseUrl } = process.env;
      new Leadback({ apiKey, baseUrl }).registerConversion(${sold.sale}).then(({ id }) => console.log(typeof id));`;
    await writeFile(join(folder, 'shop.mjs'), `import { Leadback } from '@leadback/sdk';${use}`);
    await writeFile(join(folder, 'shop.cjs'), `const { Leadback } = require('@leadback/sdk');${use}`);
    for (const file of ['shop.mjs', 'shop.cjs']) {
      expect((await execute(process.execPath, [file], options)).stdout).toBe('number\n');
    }
    const installed = await readFile(join(folder, 'node_modules', '@leadback', 'sdk', 'package.json'), 'utf8');
    expect(JSON.parse(installed)).not.toHaveProperty('devDependencies');
  });

  it('Python takes the wheel as it is, each of its files is listed with its hash, and it sells', async () => {
    const folder = await givenFolder('shop-');
    const response = await fetch(`${url}/${wheel}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    await writeFile(join(folder, wheel), bytes);
    const use = `
import os, leadback
client = leadback.Leadback(os.environ["LEADBACK_KEY"], os.environ["LEADBACK_URL"])
print(type(client.register_conversion(${sold.sale})["id"]).__name__)`;
    const env = { ...sold.env, PYTHONPATH: join(folder, wheel) };
    expect((await execute(await findInterpreter('python3'), ['-c', use], { env })).stdout).toBe('int\n');
    const files = unzipSync(bytes);
    const record = Object.keys(files).find((name) => name.endsWith('/RECORD')) ?? '';
    const listed = Buffer.from(files[record] ?? [])
      .toString()
      .trim()
      .split('\n')
      .flatMap((line) => line.split(',').slice(0, 1));
    expect(listed.toSorted()).toEqual(Object.keys(files).toSorted());
  });

  it('Composer finds a package with its file, its name and the version, and PHP sells with it', async () => {
    const folder = await givenFolder('shop-');
    const files = unzipSync(new Uint8Array(await (await fetch(`${url}/leadback-php.zip`)).arrayBuffer()));
    expect(Object.keys(files).toSorted()).toEqual(['composer.json', 'leadback.php']);
    expect(JSON.parse(Buffer.from(files['composer.json'] ?? []).toString())).toMatchObject({
      name: 'leadback/sdk',
      version: wheel.split('-')[1],
      autoload: { classmap: ['leadback.php'] },
    });
    await writeFile(join(folder, 'leadback.php'), files['leadback.php'] ?? '');
    const use = `require 'leadback.php';
      $leadback = new Leadback(getenv('LEADBACK_KEY'), getenv('LEADBACK_URL'));
      echo gettype($leadback->registerConversion(json_decode('${sold.sale}', true))['id']);`;
    const options = { cwd: folder, env: sold.env };
    expect((await execute(await findInterpreter('php'), ['-r', use], options)).stdout).toBe('integer');
  });

  it('are the same bytes each time', async () => {
    const again = await givenFolder('packages-');
    writePackages(again);
    for (const name of ['leadback-sdk.tgz', wheel, 'leadback-php.zip']) {
      const [one, other] = await Promise.all([readFile(join(packages, name)), readFile(join(again, name))]);
      expect([name, one.equals(other)]).toEqual([name, true]);
    }
  });

  it('are nowhere else: another name, a folder above and a list of them get nothing', async () => {
    for (const path of ['/leadback-sdk.zip', '/', '/..%2fpackage.json', '/%2e%2e/']) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
    }
  });
});
