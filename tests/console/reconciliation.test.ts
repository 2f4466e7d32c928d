import { givenAccount, givenClient, givenConversion, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { axeFindings, troublesOf } from '../support/given-browser.ts';
import { chooseFile, givenFileWorker, pageOf, screens } from './given-screens.ts';

describe('reconciliation, from the browser to PostgreSQL', async () => {
  const { browser, console } = await screens();
  await shared(givenFileWorker(console));

  it('a partner compares a list, and registers what is missing after a counted preview', async () => {
    const em = console.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    for (const externalReference of ['order-1', 'order-2', 'order-9']) {
      const sale = { amount: '10', currency: 'USD', externalReference } as const;
      await givenConversion(em, { account, ...sale });
    }
    const person = await console.person({ role: 'partner-admin', accounts: [account.id] });
    const page = await pageOf(browser, console, person);
    const troubles = troublesOf(page, console.url);
    await page.goto(`${console.url}/a/${account.id}/reconciliation`);
    await page.getByText('No lists yet').waitFor();
    await page.getByRole('button', { name: /^Last month/ }).click();
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    const at = new Date(Date.now() - 3_600_000).toISOString();
    await chooseFile(
      page,
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
    expect(troubles).toEqual([]);
  });

  it('axe finds nothing in the preview of a registration', async () => {
    const em = console.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    const person = await console.person({ role: 'partner-admin', accounts: [account.id] });
    const page = await pageOf(browser, console, person);
    await page.goto(`${console.url}/a/${account.id}/reconciliation`);
    await chooseFile(
      page,
      'list.csv',
      'conversionExternalReference,amount,currency,clientExternalReference\norder-3,99.90,USD,C1\n',
    );
    await page.getByRole('button', { name: 'Register what is missing…' }).click();
    await page.getByText('1 have no time in the list').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
