import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { givenServer } from '@leadback/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenPackage, type InstalledPackage } from './given-package.ts';

const gzipMax = 8.5 * 1024;
const repository = join(import.meta.dirname, '..', '..', '..');

const manifestSchema = z.object({
  name: z.literal('@leadback/sdk'),
  license: z.string(),
  dependencies: z.undefined().optional(),
  peerDependencies: z.undefined().optional(),
  optionalDependencies: z.undefined().optional(),
});

const use = `
const leadback = new Leadback({ apiKey: 'lb_test', baseUrl: process.argv[2] });
leadback.registerConversion({ email: 'ana@example.com', amount: 1, currency: 'USD' })
  .then((result) => console.log(JSON.stringify(result)));
`;

const typed = `
import { Leadback, LeadbackError, looksLikeLeadReference, verifyWebhook } from '@leadback/sdk';
import type { Conversion, ConversionInput, LeadbackErrorCode } from '@leadback/sdk';
const leadback = new Leadback({ apiKey: 'lb_test', baseUrl: 'https://api.example.com/api/v1' });
const order: ConversionInput = { email: 'ana@example.com', amount: 1, currency: 'USD' };
// @ts-expect-error -- the amount is a number
const wrong: ConversionInput = { email: 'ana@example.com', amount: '1', currency: 'USD' };
export const sell = async (): Promise<LeadbackErrorCode | number | undefined> => {
  try {
    const result = await leadback.registerConversion(order, { signal: AbortSignal.timeout(60_000) });
    const leadId: number | undefined = result.isRepeated ? undefined : result.leadId;
    for await (const { deliveries } of leadback.listConversions({ state: 'failed' })) console.log(deliveries[0]?.reason);
    const { results } = await leadback.registerConversions([{ ...order, conversionExternalReference: 'order-1' }]);
    const found: Conversion = await leadback.findConversion('order-1');
    return results[0]?.outcome === 'refused' ? results[0].code : (leadId ?? found.id);
  } catch (error) {
    if (error instanceof LeadbackError) return error.code === 'client-unknown' ? undefined : error.status;
    throw error;
  }
};
export const type: Promise<string> = verifyWebhook('{}', new Headers(), 'whsec_').then((event) => event.type);
export const isReference: boolean = looksLikeLeadReference(wrong);
`;

describe('the package of the SDK', () => {
  let sdk: InstalledPackage;
  beforeAll(async () => {
    sdk = await givenPackage();
  });
  const read = (file: string) => readFileSync(join(sdk.installed, file), 'utf8');

  it('has its code, its types, its own README and the license of the repository, and depends on nothing', () => {
    const outside = sdk.files.filter((file) => !/^(dist|src)\/[\w-]+(\.d)?\.(js|cjs|ts|cts)$/.test(file));
    expect(outside).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(sdk.files).toEqual(
      expect.arrayContaining(['dist/index.js', 'dist/index.cjs', 'dist/index.d.ts', 'dist/index.d.cts']),
    );
    expect(read('LICENSE')).toBe(readFileSync(join(repository, 'LICENSE'), 'utf8'));
    expect(manifestSchema.parse(JSON.parse(read('package.json'))).license).toBe('MIT');
  });

  it.each(['dist/index.js', 'dist/index.cjs'])(`%s has at most ${gzipMax} bytes when compressed`, (file) => {
    expect(gzipSync(read(file)).length).toBeLessThanOrEqual(gzipMax);
  });

  it('imports nothing, neither in its code nor in its types', () => {
    const files = globSync('dist/*', { cwd: sdk.installed });
    const imported = files.flatMap((file) =>
      Array.from(read(file).matchAll(/(?:from |import\(|require\()["']([^"']+)["']/g), ([, name = '']) => name),
    );
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((name) => !/^\.\/[\w-]+\.c?js$/.test(name))).toEqual([]);
  });

  it.each([
    { file: 'use.mjs', text: `import { Leadback } from '@leadback/sdk';${use}` },
    { file: 'use.cjs', text: `const { Leadback } = require('@leadback/sdk');${use}` },
  ])('registers a conversion from $file', async ({ file, text }) => {
    await using api = await givenServer((_request, response) => {
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"id": 31, "leadId": 12}');
    });
    const printed = await sdk.run({ [file]: text }, process.execPath, file, `${api.url}/api/v1`);
    expect(JSON.parse(printed)).toEqual({ id: 31, leadId: 12, warnings: [], isRepeated: false });
  });

  it.each([
    { file: 'consumer.mts', module: 'node16', moduleResolution: 'node16' },
    { file: 'consumer.cts', module: 'node16', moduleResolution: 'node16' },
    { file: 'consumer.ts', module: 'esnext', moduleResolution: 'bundler' },
  ])('has strict types for $file with module resolution $moduleResolution', async ({ file, ...compilerOptions }) => {
    const options = { ...compilerOptions, strict: true, exactOptionalPropertyTypes: true, noEmit: true };
    const tsconfig = JSON.stringify({
      compilerOptions: { ...options, target: 'es2022', lib: ['es2022', 'dom'], types: [], skipLibCheck: false },
      files: [file],
    });
    const tsc = join(repository, 'node_modules', '.bin', 'tsc');
    expect(await sdk.run({ [file]: typed, [`${file}.json`]: tsconfig }, tsc, '--project', `${file}.json`)).toBe('');
  });

  it('uses only what Node, Bun, Deno and workers have in common', async () => {
    const { AbortController, Headers, Response, TextDecoder, TextEncoder, URL, URLSearchParams } = globalThis;
    const { atob, clearTimeout, crypto, setTimeout } = globalThis;
    const sent: unknown[] = [];
    const fetch = (_url: string, { method }: RequestInit) => {
      sent.push(method);
      return Promise.resolve(new Response('{"id": 7}', { status: 201 }));
    };
    const common = { AbortController, Headers, TextDecoder, TextEncoder, URL, URLSearchParams };
    const context = createContext({ ...common, atob, clearTimeout, crypto, setTimeout, fetch, module: {} });
    const run = `${read('dist/index.cjs')}
      const sdk = module.exports;
      const leadback = new sdk.Leadback({ apiKey: 'lb_test', baseUrl: 'https://api.example.com/api/v1' });
      Promise.all([
        leadback.registerClient({ leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs' }),
        sdk.verifyWebhook('{}', { 'webhook-id': '1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }, 'whsec_AAAA')
          .catch(({ code }) => code),
      ]).then(JSON.stringify);`;
    expect(await runInContext(run, context)).toBe('[{"id":7,"warnings":[],"isRepeated":false},"webhook-invalid"]');
    expect(sent).toEqual(['POST']);
  });
});
