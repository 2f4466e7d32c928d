import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenBrowser } from '../support/given-browser.ts';
import { type ConsoleDouble, givenConsoleDouble } from './console-double.ts';

let browser: Browser;
let double: ConsoleDouble;
beforeAll(async () => {
  [browser, double] = await Promise.all([givenBrowser(), givenConsoleDouble()]);
});
afterAll(async () => {
  await browser.close();
  await double[Symbol.asyncDispose]();
});

it('the navigation names each screen once, in its group', async () => {
  double.signIn('admin');
  const page = await browser.newPage({ locale: 'en-US' });
  await page.goto(`${double.url}/a/1/overview`);
  const navigation = page.getByRole('navigation');
  await navigation.getByRole('link', { name: 'Audit log' }).waitFor();
  const groups = await navigation.getByRole('list').all();
  const names = await Promise.all(groups.map((group) => group.locator('a > span:first-of-type').allInnerTexts()));
  expect(names).toEqual([
    ['Overview', 'Quality', 'Find'],
    ['Undelivered', 'Deliveries'],
    ['Connections', 'Pages', 'API keys', 'Webhooks'],
    ['Imports', 'Reconciliation', 'Erasure'],
    ['Accounts', 'People', 'Audit log'],
  ]);
  await page.close();
});

it('the Overview marks which total the chart shows and how the table is broken down, also at first', async () => {
  double.signIn();
  const page = await browser.newPage({ locale: 'en-US' });
  await page.goto(`${double.url}/a/1/overview`);
  const marked = page.locator('main a[aria-current]');
  await page.getByRole('link', { name: 'Campaigns' }).waitFor();
  await expect.poll(() => marked.allInnerTexts()).toEqual([expect.stringMatching(/^Leads/), 'Pages']);
  await page.getByRole('link', { name: 'Campaigns' }).click();
  await page.getByRole('link', { name: /^Clients/ }).click();
  await expect.poll(() => marked.allInnerTexts()).toEqual([expect.stringMatching(/^Clients/), 'Campaigns']);
});
