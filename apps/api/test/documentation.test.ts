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
  '/sources',
  '/sdks',
  '/reasons',
  '/clicks',
  '/campaigns',
  '/privacy',
  '/reference',
  '/requests',
  '/errors',
  '/changelog',
  '/try',
].map((path) => `/docs${path}`);

const translatedPages = ['', '/campaigns', '/privacy'].map((path) => `/docs${path}`);
const translations = translatedPages.flatMap((path) => ['es', 'pt'].map((language) => `${path}?lang=${language}`));

const manifest = join(import.meta.dirname, '..', '..', '..', 'packages', 'sdk', 'package.json');

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const idsOf = (html: string) => Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id);
const linksOf = (html: string) => Array.from(html.matchAll(/(?:href|src)="([^"]+)"/g), ([, link = '']) => link);
const languageOf = (html: string) => /<html lang="(\w+)">/.exec(html)?.[1];
const samplesOf = (html: string) => html.match(/<pre[^]*?<\/pre>/g) ?? [];

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

  it.each([...pages, ...translations])(
    'every link on %s leads to a page that exists and to an anchor on it',
    async (path) => {
      const broken = [];
      for (const link of linksOf(await textOf(path))) {
        if (/^(data|https):/.test(link)) continue;
        const { pathname, search, hash } = new URL(link, `http://host${path}`);
        const { status, body } = await get(pathname + search);
        const hasAnchor = hash === '' || idsOf(body.toString()).includes(hash.slice(1));
        if (status !== 200 || !hasAnchor) broken.push(link);
      }
      expect(broken).toEqual([]);
    },
  );

  it.each([...pages, ...translations])('no id occurs twice on %s', async (path) => {
    const ids = idsOf(await textOf(path));
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('serves each page as br, gzip or plain, as the request accepts, with the same content', async () => {
    for (const path of [...pages, ...translations, '/openapi.json']) {
      const plain = await get(path);
      const gzip = await get(path, { 'accept-encoding': 'gzip, deflate' });
      const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
      const encodings = [plain, gzip, brotli].map(({ headers }) => headers['content-encoding']);
      expect([path, encodings]).toEqual([path, [undefined, 'gzip', 'br']]);
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
      expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
      expect(brotli.body.length).toBeLessThan(plain.body.length);
      const isInLanguages = translatedPages.some((page) => page === path.replace(/\?.*/, ''));
      const languages = isInLanguages ? 'Accept-Language, Cookie, ' : '';
      expect([path, brotli.headers['vary']]).toEqual([path, `${languages}Accept-Encoding`]);
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
    expect((await get('/docs/errors')).headers['cache-control']).toBe('public, max-age=300');
    expect((await get('/docs')).headers['cache-control']).toBe('private, max-age=300');
  });

  it.each([
    ['es-AR,es;q=0.9,en;q=0.8', 'es'],
    ['pt-BR,pt;q=0.9,en-US;q=0.8', 'pt'],
    ['fr,pt;q=0.5,es;q=0.4', 'pt'],
    ['en-US,es;q=0.9', 'en'],
    ['de', 'en'],
    [undefined, 'en'],
  ])('shows a browser that prefers %s guide, campaigns and privacy in %s', async (accepted, language) => {
    for (const path of translatedPages) {
      const { status, headers, body } = await get(path, accepted === undefined ? {} : { 'accept-language': accepted });
      expect([path, status, headers['content-language']]).toEqual([path, 200, language]);
      expect([path, languageOf(body.toString())]).toEqual([path, language]);
      expect(headers['set-cookie']).toBeUndefined();
    }
    const markdown = await get('/docs/privacy.md', accepted === undefined ? {} : { 'accept-language': accepted });
    expect(markdown.headers['content-language']).toBe(language);
  });

  it('keeps the language that a reader chose, whatever the browser prefers, until another is chosen', async () => {
    const prefersSpanish = { 'accept-language': 'es' };
    const chosen = await get('/docs/privacy?lang=en', prefersSpanish);
    expect(languageOf(chosen.body.toString())).toBe('en');
    const [cookie = ''] = chosen.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^docs-language=en; Max-Age=31536000; Path=\/docs; .*HttpOnly; SameSite=Lax$/);
    const [kept = ''] = cookie.split(';');
    for (const path of translatedPages) {
      const { headers } = await get(path, { ...prefersSpanish, cookie: `other=1; ${kept}` });
      expect([path, headers['content-language']]).toEqual([path, 'en']);
    }
    const changed = await get('/docs?lang=pt', { ...prefersSpanish, cookie: kept });
    expect([changed.headers['content-language'], String(changed.headers['set-cookie'])]).toEqual([
      'pt',
      expect.stringContaining('docs-language=pt;'),
    ]);
  });

  it.each(['?lang=xx', '?lang=', '?lang=es&lang=pt'])('ignores a language that there is not: %s', async (query) => {
    const { headers } = await get(`/docs${query}`, { cookie: 'docs-language=constructor', 'accept-language': 'es' });
    expect([headers['content-language'], headers['set-cookie']]).toEqual(['es', undefined]);
  });

  it('links each page in several languages to the others, for readers and for search engines', async () => {
    for (const path of translatedPages) {
      for (const language of ['en', 'es', 'pt']) {
        const html = await textOf(`${path}?lang=${language}`);
        for (const other of ['en', 'es', 'pt']) {
          const link = `href="${path}?lang=${other}" hreflang="${other}" lang="${other}"`;
          expect(html).toContain(`<a ${link}${other === language ? ' aria-current="true"' : ''}>`);
          expect(html).toContain(`<link rel="alternate" hreflang="${other}" href="${path}?lang=${other}">`);
        }
        expect(html).toContain(`<link rel="alternate" hreflang="x-default" href="${path}">`);
      }
    }
  });

  it('says in the navigation and in the text of a translated page which pages are in English', async () => {
    const html = await textOf('/docs?lang=es');
    expect(html).toContain('<a href="/docs/privacy">Privacidad</a>');
    expect(html).toContain('<a href="/docs/errors" hreflang="en" lang="en">Errors and warnings</a>');
    expect(html).toContain('<a hreflang="en" href="/docs/files">archivos</a>');
    expect(await textOf('/docs?lang=en')).not.toContain('hreflang="en" href="/docs/files"');
  });

  it('has the same anchors and the same samples in each language, so that links and samples fit all', async () => {
    for (const path of translatedPages) {
      const english = await textOf(`${path}?lang=en`);
      for (const language of ['es', 'pt']) {
        const html = await textOf(`${path}?lang=${language}`);
        expect([path, idsOf(html)]).toEqual([path, idsOf(english)]);
        expect([path, samplesOf(html)]).toEqual([path, samplesOf(english)]);
      }
    }
    expect(samplesOf(await textOf('/docs?lang=es')).length).toBeGreaterThan(4);
    expect(await textOf('/docs?lang=pt')).toContain('<a href="/docs/privacy#what-a-decision-changes">');
    expect(await textOf('/docs/privacy.md?lang=es')).toMatch(/^# Privacidad\n/);
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
