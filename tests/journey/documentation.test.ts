import { givenAccount, givenApiKey, givenLead } from '@leadback/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, givenBrowser, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';

const paths = [
  '/docs?lang=en',
  '/docs?lang=es',
  '/docs/privacy?lang=pt',
  '/docs/files',
  '/docs/reference',
  '/docs/requests',
  '/docs/errors',
  '/docs/changelog',
  '/docs/try',
];

describe('the documentation for partners', () => {
  let stack: TestStack;
  let browser: Browser;
  // one for all tests with JavaScript: its process has compiled axe when it opens the next document
  let page: Page;
  beforeAll(async () => {
    stack = await givenStack();
    [browser] = await Promise.all([givenBrowser(), stack.start('api')]);
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser.close();
    await stack[Symbol.asyncDispose]();
  });
  const origin = () => new URL('/', stack.apiUrl).href.slice(0, -1);
  const open = async (path: string, within = page) => {
    await within.goto(origin() + path);
    await within.getByRole('heading', { level: 1 }).waitFor();
  };

  it.each([320, 1280])('fits on a screen of %i pixels, without requests to other hosts', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const troubles = troublesOf(page, origin());
    for (const path of paths) {
      await open(path);
      expect([path, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([path, 0]);
      await leaveScreenshot(page, `docs${path.replaceAll(/[/?=]/g, '-')}-${width}`);
    }
    expect(troubles.filter((trouble) => !trouble.startsWith('data:'))).toEqual([]);
  });

  it.each(paths)('axe finds nothing on %s, light or dark', async (path) => {
    await open(path);
    for (const summary of await page.locator('summary').all()) await summary.click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await axeFindings(page, { isRecolored: colorScheme === 'dark' })]).toEqual([
        colorScheme,
        [],
      ]);
      await leaveScreenshot(page, `docs${path.replaceAll(/[/?=]/g, '-')}-${colorScheme}`);
    }
  });

  it('shows guide, reference and errors if JavaScript is disabled', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await open('/docs', plain);
    await plain.getByRole('link', { name: 'Reference', exact: true }).click();
    await plain
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: 'Register a conversion' })
      .click();
    expect(await plain.getByRole('heading', { name: 'Register a conversion' }).isVisible()).toBe(true);
    await plain.getByRole('link', { name: 'conversion-repeated' }).first().click();
    expect(plain.url()).toBe(`${origin()}/docs/errors#conversion-repeated`);
    await context.close();
  });

  it('shows a reader of Spanish the guide in Spanish, and in English from the choice of English on', async () => {
    const context = await browser.newContext({ locale: 'es-CL', viewport: { width: 390, height: 800 } });
    const reader = await context.newPage();
    await open('/docs', reader);
    await reader.getByRole('heading', { name: 'Guía de integración' }).waitFor();
    const choice = reader.getByRole('navigation', { name: 'Idioma' });
    await choice.getByRole('link', { name: 'English' }).focus();
    await reader.keyboard.press('Enter');
    await reader.getByRole('heading', { name: 'Integration guide' }).waitFor();
    await reader.getByRole('link', { name: 'Privacy', exact: true }).first().click();
    await reader.getByRole('heading', { name: 'Privacy', level: 1 }).waitFor();
    expect(reader.url()).toBe(`${origin()}/docs/privacy`);
    await context.close();
  });

  it('registers a client from the console, by keyboard, and shows an error with its code', async () => {
    const em = stack.database.em();
    const account = await givenAccount(em);
    const key = await givenApiKey(em, { account });
    const { reference } = await givenLead(em, { account });
    const troubles = troublesOf(page, origin());
    await open('/docs/try');
    await page.getByLabel('API key').first().fill(key);
    const form = page.locator('details', { hasText: 'POST /api/v1/client' }).first();
    await form.locator('summary').focus();
    await page.keyboard.press('Enter');
    await form.getByLabel('Body').fill(JSON.stringify({ leadReference: reference }));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await form.getByText('201 Created').waitFor();
    expect(await form.locator('output').textContent()).toMatch(/"id": \d+/);
    expect(troubles).toEqual([]);
    await form.getByLabel('Body').fill('{}');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('leadback-error: invalid-fields').waitFor();
    expect(await form.locator('output').textContent()).toContain('leadReference: expected a string');
  });
});
