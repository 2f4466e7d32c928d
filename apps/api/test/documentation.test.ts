import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { refusalCodes } from '@leadback/domain';
import { testMaxMs } from '@leadback/testing';
import express from 'express';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { readDocuments, writeDocuments } from '../src/documentation/built-documents.ts';
import { documentationRouter } from '../src/documentation/documentation-router.ts';
import { documents, packagesFolder } from '../src/documentation/documents.ts';
import { endpoints } from '../src/endpoints/index.ts';

const pages = [
  '',
  '/files',
  '/corrections',
  '/webhooks',
  '/sdks',
  '/reasons',
  '/campaigns',
  '/privacy',
  '/reference',
  '/requests',
  '/errors',
  '/changelog',
  '/try',
].map((path) => `/docs${path}`);

const manifest = join(import.meta.dirname, '..', '..', '..', 'packages', 'sdk', 'package.json');

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const idsOf = (html: string) => Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id);
const linksOf = (html: string) => Array.from(html.matchAll(/(?:href|src)="([^"]+)"/g), ([, link = '']) => link);

describe('the documentation of the API', () => {
  const server = createServer(express().disable('etag').use(documentationRouter(documents(), packagesFolder)));
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => {
    server.close();
  });

  // without the decompression of fetch
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    new Promise<Reply>((resolve, reject) => {
      const { port } = z.object({ port: z.int() }).parse(server.address());
      httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
        response.toArray().then((chunks) => {
          const { statusCode: status = 0, headers: sent } = response;
          resolve({ status, headers: sent, body: Buffer.concat(chunks) });
        }, reject);
      })
        .on('error', reject)
        .end();
    });
  const textOf = async (path: string) => (await get(path)).body.toString();

  it.each(pages)('every link on %s leads to a page that exists and to an anchor on it', async (path) => {
    const broken = [];
    for (const link of linksOf(await textOf(path))) {
      if (/^(data|https):/.test(link)) continue;
      const { pathname, hash } = new URL(link, `http://host${path}`);
      const { status, body } = await get(pathname);
      const hasAnchor = hash === '' || idsOf(body.toString()).includes(hash.slice(1));
      if (status !== 200 || !hasAnchor) broken.push(link);
    }
    expect(broken).toEqual([]);
  });

  it.each(pages)('no id occurs twice on %s', async (path) => {
    const ids = idsOf(await textOf(path));
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('serves each page as br, gzip or plain, as the request accepts, with the same content', async () => {
    for (const path of [...pages, '/openapi.json']) {
      const plain = await get(path);
      const gzip = await get(path, { 'accept-encoding': 'gzip, deflate' });
      const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
      const encodings = [plain, gzip, brotli].map(({ headers }) => headers['content-encoding']);
      expect([path, encodings]).toEqual([path, [undefined, 'gzip', 'br']]);
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
      expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
      expect(brotli.body.length).toBeLessThan(plain.body.length);
      expect(brotli.headers['vary']).toBe('Accept-Encoding');
    }
  });

  it('compresses nothing during a request', async () => {
    const made: string[] = [];
    const hook = createHook({ init: (_id, type) => void made.push(type) }).enable();
    for (const path of pages) await get(path, { 'accept-encoding': 'br, gzip' });
    const duringRequests = made.filter((type) => /zlib|brotli|zstd/i.test(type));
    gunzipSync((await get('/docs', { 'accept-encoding': 'gzip' })).body);
    hook.disable();
    expect(duringRequests).toEqual([]);
    expect(made.filter((type) => /zlib/i.test(type))).not.toEqual([]);
  });

  it('answers 304 to the ETag of the same encoding, and the content to that of another', async () => {
    for (const path of [...pages, '/openapi.json', '/docs/llms.txt']) {
      const { headers } = await get(path, { 'accept-encoding': 'gzip' });
      const etag = String(headers['etag']);
      const again = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': etag });
      expect([path, again.status, again.body.length]).toEqual([path, 304, 0]);
      const other = await get(path, { 'accept-encoding': 'br', 'if-none-match': etag });
      expect([path, other.status]).toEqual([path, 200]);
    }
  });

  it('lets browsers keep style sheet and script forever, and pages for five minutes', async () => {
    const html = await textOf('/docs/try');
    const assets = linksOf(html).filter((link) => link.startsWith('/docs/assets/'));
    expect(assets).toHaveLength(2);
    for (const asset of assets) {
      expect((await get(asset)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
    expect((await get('/docs')).headers['cache-control']).toBe('public, max-age=300');
  });

  it('needs a script on no page but the console, and allows scripts and styles of this host alone', async () => {
    for (const path of pages) {
      const { headers, body } = await get(path);
      expect([path, body.includes('<script')]).toEqual([path, path === '/docs/try']);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
      expect(policy.includes('script-src')).toBe(path === '/docs/try');
    }
  });

  it('the reference shows every operation with its method, path, body fields and error codes', async () => {
    const reference = await textOf('/docs/reference');
    for (const { method, path, summary, input } of endpoints) {
      expect(reference).toContain(`>${summary}</h3>`);
      const documented = `/api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`;
      expect(reference).toContain(`<code>${method.toUpperCase()} ${documented}</code>`);
      const fields = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
      for (const field of fields) expect(reference).toContain(`<code>${field}</code>`);
    }
    expect(reference).toContain('<code>deliveries[].state</code>');
    expect(reference).not.toMatch(/undefined|\[object/);
  });

  it('the page of errors has a section for each code, with what to do and whether to retry', async () => {
    const errors = await textOf('/docs/errors');
    for (const code of refusalCodes) expect(errors).toContain(`<h2 id="${code}">`);
    expect(errors.match(/<strong>What to do:<\/strong>/g)).toHaveLength(refusalCodes.length);
    expect(errors.match(/<strong>Retry the same request:<\/strong> (yes|no)/g)).toHaveLength(refusalCodes.length);
  });

  it('the page of SDKs has the README of the package, how to get the files, and each of their methods', async () => {
    const sdks = await textOf('/docs/sdks');
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8')));
    const files = ['leadback-sdk.tgz', `leadback-${version}-py3-none-any.whl`, 'leadback-php.zip', 'leadback.php'];
    for (const file of files) expect(sdks).toContain(`https://api.example.com/docs/${file}`);
    const methods = ['registerClient(', 'verifyWebhook(', 'register_client(', 'verify_webhook('];
    for (const method of methods) expect(sdks).toContain(`<code>${method}`);
    expect(sdks).not.toContain('README.md');
    expect(sdks.match(/<h2/g)).toHaveLength(3);
  });

  it(
    'the packages of the SDKs are there also without a build, as in a clone that npm start runs',
    async () => {
      const { status, body } = await get('/docs/leadback-sdk.tgz');
      expect(status).toBe(200);
      expect(gunzipSync(body).toString('latin1')).toContain('package/dist/index.js');
    },
    testMaxMs,
  );

  it('llms.txt lists every page as Markdown', async () => {
    const listed = Array.from((await textOf('/docs/llms.txt')).matchAll(/\]\((\S+\.md)\)/g), ([, path = '']) => path);
    expect(listed).toHaveLength(pages.length - 1);
    for (const path of listed) {
      const { status, headers, body } = await get(path);
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/markdown; charset=utf-8']);
      expect(body.toString()).toMatch(/^# /);
    }
  });

  it('is read as it was rendered, from what the build writes', () => {
    const folder = mkdtempSync(join(inject('temporaryFolder'), 'documents-'));
    writeDocuments(folder, documents());
    expect(readDocuments(folder)).toEqual(documents());
  });
});
