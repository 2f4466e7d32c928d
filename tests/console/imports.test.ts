import { readFile } from 'node:fs/promises';
import { givenAccount, givenClient, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { troublesOf } from '../support/given-browser.ts';
import { chooseFile, givenFileWorker, makeOld, pageOf, screens } from './given-screens.ts';

const header = 'conversionExternalReference;clientExternalReference;amount;currency\n';
const file = `${header}order-1;C1;149,90;USD\norder-2;C1;80;USD\norder-3;nobody;7;USD\n`;

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

  it('a partner corrects a file, sees what would happen, and registers exactly that', async () => {
    const { account, person, path } = await givenShop('partner-admin');
    const page = await pageOf(browser, console, person);
    const troubles = troublesOf(page, console.url);
    await page.goto(path);
    await page.getByText('No files yet').waitFor();
    await chooseFile(page, 'sales.xlsx', 'PK');
    await page.getByText('This is a spreadsheet.').waitFor();
    await chooseFile(page, 'sales.csv', file.replace('amount', 'ammount'));
    await page.getByText('column 3 ("ammount") is unknown; did you mean "amount"?').waitFor();
    // what the browser itself reports of the refused file
    expect(troubles.splice(0).every((line) => line.includes('400 (Bad Request)'))).toBe(true);

    await chooseFile(page, 'sales.csv', file);
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
    await chooseFile(page, 'sales.csv', file);
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
