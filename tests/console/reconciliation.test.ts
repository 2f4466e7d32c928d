import { givenAccount, givenClient, givenConversion } from '@leadback/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenConsole, type TestConsole } from '../../apps/console/test/given-console.ts';
import { axeFindings, givenBrowser } from '../support/given-browser.ts';
import { builtWeb } from './built-web.ts';
import { givenFileWorker, givenPage } from './given-pages.ts';

describe('reconciliation, from the browser to PostgreSQL', () => {
  let console: TestConsole;
  let browser: Browser;
  let worker: AsyncDisposable;
  beforeAll(async () => {
    [browser, console] = await Promise.all([
      givenBrowser(),
      builtWeb().then((webFolder) => givenConsole({ webFolder })),
    ]);
    worker = givenFileWorker(console);
  });
  afterAll(async () => {
    await browser.close();
    await worker[Symbol.asyncDispose]();
    await console[Symbol.asyncDispose]();
  });

  it('a partner compares a list, and registers what is missing after a counted preview', async () => {
    const em = console.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    for (const externalReference of ['order-1', 'order-2', 'order-9']) {
      const sale = { amount: '10', currency: 'USD', externalReference } as const;
      await givenConversion(em, { account, ...sale });
    }
    const person = await console.person({ role: 'partner-admin', accounts: [account.id] });
    await using shop = await givenPage(browser, console, person);
    const { page, choose } = shop;
    await page.goto(`${console.url}/a/${account.id}/reconciliation`);
    await page.getByText('No lists yet').waitFor();
    await page.getByRole('button', { name: /^Last month/ }).click();
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    const at = new Date(Date.now() - 3_600_000).toISOString();
    await choose(
      'list.csv',
      `conversionExternalReference,amount,currency,clientExternalReference,occurredAt\norder-1,10,USD,,\norder-2,12.50,USD,,\norder-3,99.90,USD,C1,${at}\norder-4,5,USD,nobody,\n`,
    );
    const outcome = (name: string) => page.getByRole('row').filter({ hasText: name });
    await outcome('In your list and not registered; the client is known.').getByText('USD 99.90').waitFor();
    await outcome('Different amount').getByText('USD 12.50').waitFor();
    await outcome('Different amount').getByText('USD 10').waitFor();
    await outcome('Extra').getByText('USD 10').waitFor();
    await page.getByRole('link', { name: /^Different amount/ }).click();
    await page.getByRole('row').filter({ hasText: 'order-2' }).getByText('USD 10').waitFor();
    expect(new URL(page.url()).search).toBe('?outcome=amountDiffers');

    await page.getByRole('button', { name: 'Register what is missing…' }).click();
    await page.getByText('1 sales would be registered').waitFor();
    await page.getByRole('button', { name: 'Register 1 · USD 99.90' }).click();
    await page.getByText('Registered from this list: 1 · USD 99.90.').waitFor();
    const { rows } = await console.database.pool.query(
      `select amount, occurred_at = $2 as is_of_its_time from conversion
       where account_id = $1 and external_reference = 'order-3'`,
      [account.id, at],
    );
    expect(rows).toEqual([{ amount: '99.90', is_of_its_time: true }]);
    expect(shop.troubles).toEqual([]);
  });

  it('axe finds nothing in the preview of a registration', async () => {
    const em = console.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    const person = await console.person({ role: 'partner-admin', accounts: [account.id] });
    await using shop = await givenPage(browser, console, person);
    const { page, choose } = shop;
    await page.goto(`${console.url}/a/${account.id}/reconciliation`);
    await choose(
      'list.csv',
      'conversionExternalReference,amount,currency,clientExternalReference\norder-3,99.90,USD,C1\n',
    );
    await page.getByRole('button', { name: 'Register what is missing…' }).click();
    await page.getByText('1 have no time in the list').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
