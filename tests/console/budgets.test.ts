import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtWeb } from './given-screens.ts';

const kilobyte = 1000;

describe('the built web application of the console', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await builtWeb();
  });

  const kilobytesOf = async (paths: readonly string[]): Promise<number> => {
    const sizes = await Promise.all(paths.map(async (path) => gzipSync(await readFile(join(folder, path))).byteLength));
    return sizes.reduce((sum, size) => sum + size, 0) / kilobyte;
  };
  const assets = async () => (await readdir(join(folder, 'assets'))).map((name) => join('assets', name));
  const page = () => readFile(join(folder, 'index.html'), 'utf8');

  it('loads at most 125 kB before it shows the sign-in or the frame of an account', async () => {
    const named = [...(await page()).matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].flatMap(([, path = '']) => path);
    expect(named.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(1);
    expect(await kilobytesOf(['index.html', ...named])).toBeLessThanOrEqual(125);
  });

  it.each([
    'overview-screen',
    'undelivered-screen',
    'deliveries-screen',
    'connections-screen',
    'connections-connection',
    'connections-new-connection',
    'keys-screen',
    'people-screen',
    'accounts-screen',
    'audit-screen',
    'security-screen',
    'quality-screen',
    'quality-funnel',
    'webhooks-screen',
    'webhooks-webhook',
    'imports-screen',
    'imports-preview',
    'reconciliation-screen',
    'pages-script-page',
    'pages-server-way',
    'pages-domains-way',
  ])('loads at most 8 kB for %s', async (screen) => {
    const files = (await assets()).filter((path) => path.includes(`/${screen}-`));
    expect(files.length).toBeGreaterThan(0);
    expect(await kilobytesOf(files)).toBeLessThanOrEqual(8);
  });

  it('loads two scripts and two styles more for the Overview, so that its requests do not wait for files', async () => {
    const files = (await assets()).filter((path) => /\/(?:overview-screen|common)-/.test(path));
    expect(files.length).toBeLessThanOrEqual(4);
    const screen = files.find((path) => /overview-screen-.+\.js$/.test(path)) ?? 'assets/overview-screen';
    const imported = (await readFile(join(folder, screen), 'utf8')).matchAll(/from"\.\/([^"]+)"/g);
    const before = [await page(), ...files];
    const others = [...imported].filter(([, name = '']) => !before.some((text) => text.includes(name)));
    expect(others).toEqual([]);
  });

  it('loads at most 12 kB for the chart, after the rest', async () => {
    const files = (await assets()).filter((path) => path.includes('/day-chart-'));
    expect(files.length).toBeGreaterThan(0);
    expect(await kilobytesOf(files)).toBeLessThanOrEqual(12);
    expect(await page()).not.toContain('day-chart');
  });

  it('has no inline script or style, and none of the schemas of the server', async () => {
    expect((await page()).match(/<style|<script(?![^>]*src=)|\son\w+=|\sstyle=/g)).toBeNull();
    const scripts = (await assets()).filter((path) => path.endsWith('.js'));
    const texts = await Promise.all(scripts.map((path) => readFile(join(folder, path), 'utf8')));
    expect(texts.filter((text) => /ZodError|safeParse/.test(text))).toEqual([]);
  });
});
