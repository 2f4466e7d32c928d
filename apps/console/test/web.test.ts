import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rawAnswer, shared } from '@leadback/testing';
import { describe, expect, inject, it } from 'vitest';
import { givenConsole } from './given-console.ts';

const script = `export const answer = ${'42'.repeat(500)};`;

describe('the web part of the console', async () => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'web-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Leadback</title>');
  await writeFile(join(folder, 'assets', 'main-4f2a.js'), script);
  await writeFile(join(folder, 'assets', 'main-4f2a.js.map'), '{}');
  const console = await shared(givenConsole({ webFolder: folder }));
  const browser = console.browser();

  it.each(['/', '/a/7/undelivered', '/invitation', '/sign-in'])('serves its page for %s', async (path) => {
    const { status, headers, text } = await browser.get(path);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(text).toContain('<title>Leadback</title>');
  });

  it('serves assets compressed and for ever, and never the page in place of one', async () => {
    const asset = await browser.get('/assets/main-4f2a.js', { 'accept-encoding': 'br' });
    expect(asset.text).toBe(script);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-encoding')).toBe('br');
    const etag = asset.headers.get('etag') ?? '';
    const again = await browser.get('/assets/main-4f2a.js', {
      'accept-encoding': 'br',
      'if-none-match': etag,
      // the default of fetch beside a condition is no-cache, which browsers do not send
      'cache-control': 'max-age=0',
    });
    expect(again.status).toBe(304);
    for (const path of ['/assets/main-0000.js', '/assets/main-4f2a.js.map', '/assets/../src/main.ts']) {
      expect((await browser.get(path)).text).not.toContain('import');
    }
    expect((await browser.get('/assets/main-0000.js')).status).toBe(404);
  });

  it.each([
    '/../../etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '//evil.example',
    '/\\evil.example',
    '/assets/..%5c..%5cpackage.json',
  ])('reads no file and is sent nowhere by %s', async (path) => {
    const port = Number(new URL(console.url).port);
    const answer = await rawAnswer(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 (200|400|404) /);
    expect(answer).not.toMatch(/^location:|root:|"dependencies"/im);
  });

  it('answers unknown paths of its API as JSON, and other methods with 405', async () => {
    expect(await browser.get('/api/nothing')).toMatchObject({ status: 404, body: { message: 'no such path' } });
    expect((await browser.post('/api/session', {})).status).toBe(405);
  });

  it.each(['/', '/assets/main-4f2a.js', '/api/session'])('sends the security headers with %s', async (path) => {
    const { headers } = await browser.get(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|data:|https?:|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('keeps what the API says out of caches', async () => {
    expect((await browser.get('/api/session')).headers.get('cache-control')).toBe('no-store');
  });

  it('says clearly that it was not built, while the API of the console works', async () => {
    await using bare = await givenConsole();
    const { status, text } = await bare.browser().get('/a/7');
    expect([status, text]).toEqual([503, expect.stringContaining('not built')]);
    expect((await bare.browser().get('/api/session')).status).toBe(200);
  });
});
