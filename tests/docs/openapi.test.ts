import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Conversion } from '@leadback/db';
import { givenLead } from '@leadback/testing';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, inject, it } from 'vitest';
import { apiDocument } from '../../apps/api/src/documentation/api-document.ts';
import { endpoints } from '../../apps/api/src/endpoints/index.ts';
import { root } from '../support/code-blocks.ts';
import { givenPartner } from '../support/given-partner.ts';
import { givenStack } from '../support/given-stack.ts';

const run = promisify(execFile);
const packages = join(root, 'tests', 'node_modules');

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

/** Lets the generators import TypeScript 6: version 7, which checks our code, has no compiler API. */
const withCompilerApi = () =>
  registerHooks({
    resolve(specifier, context, next) {
      const isOfGenerator = /\/(openapi-typescript|@hey-api\/openapi-ts)\//.test(context.parentURL ?? '');
      if (specifier !== 'typescript' || !isOfGenerator) return next(specifier, context);
      return next(import.meta.resolve('typescript-with-api'), context);
    },
  });

/** Writes `schema.ts` with openapi-typescript, and the folder `hey-api` with the client of Hey API. */
const generateClients = async (document: string, folder: string): Promise<void> => {
  const hooks = withCompilerApi();
  try {
    const [{ astToString, default: openapiTypes }, { createClient }] = await Promise.all([
      import('openapi-typescript'),
      import('@hey-api/openapi-ts'),
    ]);
    await writeFile(join(folder, 'schema.ts'), astToString(await openapiTypes(document)));
    await createClient({ input: JSON.parse(document), output: join(folder, 'hey-api'), logs: { level: 'silent' } });
  } finally {
    hooks.deregister();
  }
};

it('clients generated from /openapi.json compile in strict mode, and register and read a conversion at the running API', async () => {
  await using stack = await givenStack();
  await stack.start('api');
  const document = await (await fetch(new URL('/openapi.json', stack.apiUrl))).text();
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'generated-'));
  await mkdir(join(folder, 'hey-api'));
  await symlink(packages, join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  for (const name of names) await writeFile(join(folder, `with-${name}.ts`), programs[name]);
  await generateClients(document, folder);
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

const text = JSON.stringify(apiDocument(endpoints));

it('Spectral finds nothing in the OpenAPI document with the rules of spectral:oas', async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset(new spectral.Ruleset({ extends: rulesets.oas }));
  const findings = await linter.run(text);
  expect(findings.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`)).toEqual([]);
});

it('Redocly finds nothing in the OpenAPI document with its recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const findings = await lintFromString({ source: text, config, absoluteRef: '/openapi.json' });
  expect(findings.map(({ ruleId, location, message }) => [ruleId, location[0]?.pointer, message])).toEqual([]);
});
