import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenBrowser } from '../support/given-browser.ts';
import { type ConsoleDouble, givenConsoleDouble } from './console-double.ts';

const root = join(import.meta.dirname, '..', '..');
const size = { width: 1280, height: 860 };

/** Of a PNG: two numbers behind its signature and the head of its first chunk. */
const sizeOf = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });

/** `UPDATE_PICTURES=true` puts the pictures in the documents. */
describe('a picture of the console in the documents', () => {
  let double: ConsoleDouble;
  let browser: Browser;
  beforeAll(async () => {
    [browser, double] = await Promise.all([givenBrowser(), givenConsoleDouble()]);
    double.signIn();
  });
  afterAll(async () => {
    await browser.close();
    await double[Symbol.asyncDispose]();
  });

  it.each([
    { name: 'console', path: '/a/1/overview?show=conversions', ready: 'black-friday' },
    { name: 'console-undelivered', path: '/a/1/undelivered', ready: 'Not delivered: 1,304' },
    { name: 'console-connections', path: '/a/1/connections', ready: 'Google Ads rejects connection 2' },
    { name: 'console-page', path: '/a/1/pages/1', ready: 'Everything is saved' },
  ])('$name has the size of the screen that it shows, which is still there', async ({ name, path, ready }) => {
    const documented = join(root, 'docs', 'pictures', `${name}.png`);
    const context = await browser.newContext({
      viewport: size,
      colorScheme: 'light',
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(`${double.url}${path}`);
    await page.getByText(ready).first().waitFor();
    if (process.env['UPDATE_PICTURES'] === 'true') {
      await page.waitForLoadState('networkidle');
      await page.evaluate('document.fonts.ready');
      await page.screenshot({ path: documented });
    }
    await context.close();
    expect(sizeOf(await readFile(documented))).toEqual(size);
  });
});
