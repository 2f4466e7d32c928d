import { readFile } from 'node:fs/promises';
import { givenAccount, givenClient, givenWorkbook, shared } from '@leadback/testing';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFindings, troublesOf } from '../support/given-browser.ts';
import { chooseFile, givenFileWorker, makeOld, pageOf, screens } from './given-screens.ts';

const header = 'conversionExternalReference;clientExternalReference;amount;currency\n';
const file = `${header}order-1;C1;149,90;USD\norder-2;C1;80;USD\norder-3;nobody;7;USD\n`;

/** Chooses a file of which nothing is to be corrected, and sends it. */
const send = async (page: Page, text: string) => {
  await chooseFile(page, 'sales.csv', text);
  await page.getByRole('button', { name: /^Check all \d+ rows$/ }).click();
};

describe('imports, from the browser to PostgreSQL', async () => {
  const { browser, console } = await screens();
  await shared(givenFileWorker(console));

  const givenShop = async (role: 'partner-admin' | 'partner-viewer') => {
    const em = console.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    const person = await console.person({ role, accounts: [account.id] });
    return { account, person, path: `${console.url}/a/${account.id}/imports` };
  };

  it('a partner says with the keyboard what a file leaves open, sees its rows, and is not asked again', async () => {
    const { account, person, path } = await givenShop('partner-admin');
    const page = await pageOf(browser, console, person, { viewport: { width: 390, height: 844 } });
    const troubles = troublesOf(page, console.url);
    await page.goto(path);
    const [year] = new Date(Date.now() - 36 * 86_400_000).toISOString().split('-');
    const shop = `Orden;Cliente;Neto;Fecha;Nota\nA-1;C1;1.234;03/01/${year} 10:00;x\nA-2;C1;ten;03/01/${year} 10:00;\n`;
    await chooseFile(page, 'orders.csv', shop);
    const region = page.getByRole('region', { name: 'orders.csv' });
    await region.getByText('How orders.csv will be read').waitFor();
    expect(await region.evaluate((element) => element.matches(':focus'))).toBe(true);
    const go = region.getByRole('button', { name: 'Check all 2 rows' });
    await region.getByText('No column is read as:').waitFor();
    expect(await go.isDisabled()).toBe(true);

    const choose = async (label: string, value: string) => {
      const select = region.getByLabel(label, { exact: true });
      if ((await select.inputValue()) !== value) await select.selectOption(value);
      await region.locator('table[aria-busy=false]').waitFor();
    };
    await choose('Orden', 'conversionExternalReference');
    await choose('Cliente', 'clientExternalReference');
    await choose('Neto', 'amount');
    await choose('Fecha', 'occurredAt');
    await choose('Currency of all rows', 'ARS');
    await choose('Time zone of the dates', 'America/Bogota');
    await region.getByRole('radio', { name: 'day/month/year' }).press('Space');
    await region.locator('table[aria-busy=false]').waitFor();
    await region.getByRole('radio', { name: '1.234,56' }).press('Space');
    await region.getByText('The file can be read in two ways.').waitFor({ state: 'detached' });
    await region.locator('table[aria-busy=false]').waitFor();
    await region.getByRole('row').filter({ hasText: 'A-1' }).getByText('1,234', { exact: true }).waitFor();
    await region.getByRole('row').filter({ hasText: 'A-2' }).getByText('amount: expected').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await go.press('Enter');
    await page.getByText('This was a dry run: nothing is registered yet.').waitFor();
    await page.getByRole('button', { name: 'Register 1 · ARS 1,234' }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    const { rows } = await console.database.pool.query(
      'select external_reference, amount, currency, occurred_at as at from conversion where account_id = $1',
      [account.id],
    );
    expect(rows).toEqual([
      { external_reference: 'A-1', amount: '1234.00', currency: 'ARS', at: `${year}-01-03 15:00:00+00` },
    ]);

    await page.goto(path);
    await chooseFile(page, 'orders.csv', shop.replaceAll('A-', 'B-'));
    await region.getByText('As you chose for an earlier file like this').waitFor();
    expect(await go.isEnabled()).toBe(true);
    expect(troubles).toEqual([]);
  });

  it('a partner drops a workbook on a phone, chooses its sheet, and registers what is in it', async () => {
    const { account, person, path } = await givenShop('partner-admin');
    const page = await pageOf(browser, console, person, { viewport: { width: 390, height: 844 } });
    const troubles = troublesOf(page, console.url);
    const day = Math.floor(Date.now() / 86_400_000) - 20;
    const sold = { xml: `<c s="1"><v>${day + 25_569.5}</v></c>` };
    const names = ['Order ID', 'customer id', 'Total', 'Currency', 'Date'];
    const workbook = givenWorkbook({
      formats: ['dd/mm/yyyy hh:mm'],
      sheets: [
        { name: 'Summary', rows: [['Sales of the shops'], ['Both', 2]] },
        { name: 'North', rows: [names, ['N-1', 'C1', 0.1 + 0.2, 'USD', sold]] },
        { name: 'South', rows: [['Sales', 'of South'], [], names, ['S-1', 'C1', 1234.5, 'USD', sold]] },
      ],
    });
    await page.goto(path);
    await chooseFile(page, 'shops.xlsx', workbook);
    const region = page.getByRole('region', { name: 'shops.xlsx' });
    await region.getByRole('status').filter({ hasText: 'sheet “North”' }).waitFor();
    await region.getByRole('row').filter({ hasText: 'N-1' }).getByText('0.30').waitFor();
    await region.getByText('Correct how the file is read').click();
    await region.getByLabel('Line of the header').waitFor();
    expect(await region.getByLabel('Separator').count()).toBe(0);
    expect(await region.getByLabel('Encoding').count()).toBe(0);
    await region.getByLabel('Sheet of the workbook').selectOption('South');
    await region.getByRole('status').filter({ hasText: 'sheet “South” · header in line 3' }).waitFor();
    await region.getByLabel('Time zone of the dates').selectOption('America/Bogota');
    await region.getByText('The file can be read in two ways.').waitFor({ state: 'detached' });
    await region.getByRole('row').filter({ hasText: 'S-1' }).getByText('1,234.50').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await axeFindings(page)).toEqual([]);
    await region.getByRole('button', { name: 'Check all 1 rows' }).click();
    await page.getByRole('button', { name: 'Register 1 · USD 1,234.50' }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    const { rows } = await console.database.pool.query(
      'select external_reference as reference, amount, occurred_at = $2 as is_of_its_time from conversion where account_id = $1',
      [account.id, new Date(day * 86_400_000 + 17 * 3_600_000)],
    );
    expect(rows).toEqual([{ reference: 'S-1', amount: '1234.50', is_of_its_time: true }]);
    expect(troubles).toEqual([]);
  });

  it('a partner corrects a file, sees what would happen, and registers exactly that', async () => {
    const { account, person, path } = await givenShop('partner-admin');
    const page = await pageOf(browser, console, person);
    const troubles = troublesOf(page, console.url);
    await page.goto(path);
    await page.getByText('No files yet').waitFor();
    await chooseFile(page, 'sales.ods', 'PK');
    await page.getByText('This kind of spreadsheet cannot be read.').waitFor();
    await chooseFile(page, 'sales.csv', `${header}order-1;C1;1;USD;x\n`);
    await page.getByText('line 2: 5 cells, but the header has 4 columns').waitFor();
    // what the browser itself reports of the refused file
    expect(troubles.splice(0).every((line) => line.includes('400 (Bad Request)'))).toBe(true);
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await send(page, file);
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
    expect(troubles).toEqual([]);
  });

  it('rows with personal data are downloaded after the second factor', async () => {
    const { person, path } = await givenShop('partner-admin');
    const page = await pageOf(browser, console, person);
    await page.goto(path);
    await send(page, file);
    await page.getByRole('button', { name: 'Download these rows' }).waitFor();
    await makeOld(console, person);
    await page.getByRole('button', { name: 'Download these rows' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill(person.code());
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/^import-\d+-not_from_an_ad\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split('\n')).toEqual([
      '"conversionExternalReference";"clientExternalReference";"amount";"currency";"outcome";"id";"message"',
      '"order-3";"nobody";"7";"USD";"not_from_an_ad";;"no client matches clientExternalReference or email"',
      '',
    ]);
  });

  it('a template is filled in with what the import takes', async () => {
    const { person, path } = await givenShop('partner-admin');
    const page = await pageOf(browser, console, person);
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
    const page = await pageOf(browser, console, person);
    const troubles = troublesOf(page, console.url);
    await page.goto(path);
    await page.getByText('Your role may see imports, but not send files.').first().waitFor();
    expect(await page.locator('input[type=file]').count()).toBe(0);
    expect(troubles).toEqual([]);
  });
});
