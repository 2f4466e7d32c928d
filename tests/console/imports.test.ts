import { readFile } from 'node:fs/promises';
import { givenAccount, givenClient } from '@leadback/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenConsole, type TestConsole } from '../../apps/console/test/given-console.ts';
import { givenBrowser } from '../support/given-browser.ts';
import { builtWeb } from './built-web.ts';
import { givenFileWorker, givenPage } from './given-pages.ts';

const header = 'conversionExternalReference;clientExternalReference;amount;currency\n';
const file = `${header}order-1;C1;149,90;USD\norder-2;C1;80;USD\norder-3;nobody;7;USD\n`;

describe('imports, from the browser to PostgreSQL', () => {
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

  const givenShop = async (role: 'partner-admin' | 'partner-viewer') => {
    const em = console.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    const person = await console.person({ role, accounts: [account.id] });
    return { account, person, path: `${console.url}/a/${account.id}/imports` };
  };

  it('a partner corrects a file, sees what would happen, and registers exactly that', async () => {
    const { account, person, path } = await givenShop('partner-admin');
    await using shop = await givenPage(browser, console, person);
    const { page, choose } = shop;
    await page.goto(path);
    await page.getByText('No files yet').waitFor();
    await choose('sales.xlsx', 'PK');
    await page.getByText('This is a spreadsheet.').waitFor();
    await choose('sales.csv', file.replace('amount', 'ammount'));
    await page.getByText('column 3 ("ammount") is unknown; did you mean "amount"?').waitFor();
    // what the browser itself reports of the refused file
    expect(shop.troubles.splice(0).every((line) => line.includes('400 (Bad Request)'))).toBe(true);

    await choose('sales.csv', file);
    await page.getByText('This was a dry run: nothing is registered yet.').waitFor();
    await page.getByRole('row').filter({ hasText: 'order-3' }).getByText('no client matches').waitFor();
    await page.getByRole('button', { name: 'Register 2 · USD 229.90' }).click();
    await page.getByText('Registration started.').waitFor();
    await page.getByRole('link', { name: 'Show the dry run' }).waitFor();
    await page.getByText('Done', { exact: true }).waitFor();
    const { rows } = await console.database.pool.query(
      'select external_reference, amount from conversion where account_id = $1 order by id',
      [account.id],
    );
    expect(rows).toEqual([
      { external_reference: 'order-1', amount: '149.90' },
      { external_reference: 'order-2', amount: '80.00' },
    ]);
    await page.getByRole('link', { name: 'Show the dry run' }).click();
    await page.getByRole('link', { name: /^Registered as import/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Register / }).count()).toBe(0);
    expect(shop.troubles).toEqual([]);
  });

  it('rows with personal data are downloaded after the second factor', async () => {
    const { person, path } = await givenShop('partner-admin');
    await using shop = await givenPage(browser, console, person);
    const { page, choose } = shop;
    await page.goto(path);
    await choose('sales.csv', file);
    await page.getByRole('button', { name: 'Download these rows' }).waitFor();
    await console.database.pool.query(
      `update person_session set stepped_up_at = now() - interval '6 minutes' where person_id = $1`,
      [person.personId],
    );
    await page.getByRole('button', { name: 'Download these rows' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill(person.code());
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/^import-\d+-refused\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split('\n')).toEqual([
      '"conversionExternalReference";"clientExternalReference";"amount";"currency";"outcome";"id";"message"',
      '"order-3";"nobody";"7";"USD";"refused";;"no client matches clientExternalReference or email"',
      '',
    ]);
  });

  it('a template is filled in with what the import takes', async () => {
    const { person, path } = await givenShop('partner-admin');
    await using shop = await givenPage(browser, console, person);
    const { page } = shop;
    await page.goto(path);
    await page.getByText('Clients', { exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download a template' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toMatch(/^"leadReference",/);
  });

  it('a viewer sees imports, and neither sends files nor downloads rows', async () => {
    const { person, path } = await givenShop('partner-viewer');
    await using shop = await givenPage(browser, console, person);
    const { page } = shop;
    await page.goto(path);
    await page.getByText('Your role may see imports, but not send files.').first().waitFor();
    expect(await page.locator('input[type=file]').count()).toBe(0);
    expect(shop.troubles).toEqual([]);
  });
});
