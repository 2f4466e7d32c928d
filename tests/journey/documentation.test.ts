import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenBrowser } from '../support/given-browser.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';

describe('the documentation for partners', () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    stack = await givenStack();
    [browser] = await Promise.all([givenBrowser(), stack.start('api')]);
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await stack[Symbol.asyncDispose]();
  });
  const docsUrl = () => new URL('/docs', stack.apiUrl).href;

  it.each([320, 1280])('shows every path on a screen of %i pixels without requests to other hosts', async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    const troubles: string[] = [];
    page.on('console', (message) => troubles.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(new URL('/', stack.apiUrl).href) || request.url().startsWith('data:');
      if (!isOurs) troubles.push(request.url());
    });
    await page.goto(docsUrl());
    await page.getByRole('heading', { name: 'Retries' }).waitFor();
    expect(await page.locator('.opblock').count()).toBe(6);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('sends a request from the API documentation with the entered key', async () => {
    const page = await browser.newPage();
    await page.goto(docsUrl());
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('textbox').fill('lb_wrong');
    await page.getByRole('button', { name: 'Apply credentials' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page
      .getByRole('button', { name: /Check the API key/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    const response = page.getByText('not a valid key; check that it is whole').first();
    await response.waitFor();
    expect(await response.isVisible()).toBe(true);
    await page.close();
  });

  it('links to openapi.json if JavaScript is disabled', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(docsUrl());
    expect(await page.getByRole('link', { name: 'openapi.json' }).getAttribute('href')).toBe('/openapi.json');
    await context.close();
  });
});
