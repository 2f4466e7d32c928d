import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Conversion } from '@leadback/db';
import { givenLead } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { givenPartner } from '../../support/given-partner.ts';
import { givenStack, type TestStack } from '../../support/given-stack.ts';
import { generateClients } from './generators.ts';

const run = promisify(execFile);
const packages = join(import.meta.dirname, '..', '..', 'node_modules');

/** Programs of a partner, with the clients that the generators write beside them. */
const programs = {
  'openapi-typescript': `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const { LEADBACK_URL = '', LEADBACK_KEY = '', LEAD = '' } = process.env;
const leadback = createClient<paths>({ baseUrl: LEADBACK_URL, headers: { 'x-api-key': LEADBACK_KEY } });
const externalReference = 'with-openapi-fetch';
const client = await leadback.POST('/client', { body: { leadReference: LEAD, externalReference } });
if (!client.data) throw new Error(client.error.message);
const conversion = await leadback.POST('/client/conversion', {
  body: { clientExternalReference: externalReference, amount: 149.9, currency: 'USD' },
});
if (!conversion.data) throw new Error(conversion.error.message);
const path = { id: String(conversion.data.id) };
const read = await leadback.GET('/client/conversion/{id}', { params: { path } });
const states = read.data?.deliveries.map(({ platform, state }) => [platform, state] as const);
console.log(JSON.stringify({ id: conversion.data.id satisfies number, states }));
`,
  'hey-api': `
import { client } from './hey-api/client.gen.js';
import { getClientConversionId, postClient, postClientConversion } from './hey-api/sdk.gen.js';

const { LEADBACK_URL = '', LEADBACK_KEY = '', LEAD = '' } = process.env;
client.setConfig({ baseUrl: LEADBACK_URL, auth: LEADBACK_KEY });
const externalReference = 'with-hey-api';
await postClient({ body: { leadReference: LEAD, externalReference }, throwOnError: true });
const { data } = await postClientConversion({
  body: { clientExternalReference: externalReference, amount: 149.9, currency: 'USD' },
  throwOnError: true,
});
const read = await getClientConversionId({ path: { id: String(data.id) }, throwOnError: true });
const states = read.data.deliveries.map(({ platform, state }) => [platform, state] as const);
console.log(JSON.stringify({ id: data.id satisfies number, states }));
`,
};
const names = ['openapi-typescript', 'hey-api'] as const;

const compilerOptions = {
  strict: true,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: ['node'],
  rootDir: '.',
  outDir: 'built',
};

describe('clients generated from /openapi.json', () => {
  let stack: TestStack;
  let folder: string;
  beforeAll(async () => {
    stack = await givenStack();
    folder = await mkdtemp(join(inject('temporaryFolder'), 'generated-'));
    const [document] = await Promise.all([
      stack.start('api').then(async () => (await fetch(new URL('/openapi.json', stack.apiUrl))).text()),
      mkdir(join(folder, 'hey-api')),
      symlink(packages, join(folder, 'node_modules')),
      writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' })),
      writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] })),
      ...names.map((name) => writeFile(join(folder, `with-${name}.ts`), programs[name])),
    ]);
    await generateClients(document, folder);
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  it('compile in strict mode, and register and read a conversion at the running API', async () => {
    await run(process.execPath, [join(packages, 'typescript', 'bin', 'tsc'), '--project', folder]);
    for (const name of names) {
      const em = stack.database.em();
      const { account, key } = await givenPartner(stack);
      const { reference } = await givenLead(em, { account });
      const env = { ...process.env, LEADBACK_URL: stack.apiUrl, LEADBACK_KEY: key, LEAD: reference };
      const { stdout } = await run(process.execPath, [join(folder, 'built', `with-${name}.js`)], { env });
      const [conversion] = await em.find(Conversion, { account });
      const states = expect.arrayContaining([
        ['meta', expect.any(String)],
        ['google', expect.any(String)],
      ]);
      expect([name, JSON.parse(stdout)]).toEqual([name, { id: conversion?.id, states }]);
    }
  });
});
