import type { Account } from '@leadback/db';
import { givenAccount, givenApiKey, givenConnection, givenConversion, givenLead } from '@leadback/testing';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SignedIn } from '../../apps/console/test/given-console.ts';
import { axeFindings, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { pageOf, screens } from './given-screens.ts';

const step = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });
const isAt = (page: Page, title: string, state: 'Done' | 'Next' | 'Open') =>
  step(page, title).getByText(state, { exact: true }).waitFor();

describe('the first screen of an account without sales', async () => {
  const { browser, console } = await screens();
  const operator = await console.person({ role: 'operator' });
  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const openAs = async (person: SignedIn, options: Parameters<typeof pageOf>[3] = {}) => {
    const page = await pageOf(browser, console, person, options);
    await page.goto(`${console.url}/a/${account.id}/overview`);
    return page;
  };

  it('is a list of steps that knows what is done, follows what others do, and gives way to the first live sale', async () => {
    const em = console.database.em();
    const page = await openAs(operator);
    const troubles = troublesOf(page, console.url);
    await page.getByText('0 of 5 steps are done').waitFor();
    await isAt(page, 'Create a landing page', 'Next');
    await isAt(page, 'Go live', 'Open');
    expect(await step(page, 'Make a test click').getByRole('link').count()).toBe(0);

    await page.getByRole('link', { name: 'Create a page' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name in the URL').fill('Sandálias');
    expect(await page.getByLabel('Name in the URL').inputValue()).toBe('sandalias');
    await page.getByLabel('Name in the URL').fill('sandals');
    await page.getByLabel('Target page').fill('https://shop.example/');
    await page.keyboard.press('Enter');
    await page.getByText('created as a draft').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await step(page, 'Create a landing page').getByRole('link', { name: 'Switch it on' }).click();
    await page.getByRole('switch').click();
    await page.getByRole('link', { name: 'Overview' }).click();
    await isAt(page, 'Create a landing page', 'Done');
    await isAt(page, 'Connect an ad platform', 'Next');
    const click = step(page, 'Make a test click').getByRole('link');
    expect(await click.getAttribute('href')).toBe('https://go.example/sandals?utm_campaign=test-click');
    await step(page, 'Connect an ad platform').getByRole('link').click();
    await page.getByText('You need the pixel code').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();

    // nothing is loaded again by hand from here on
    await givenConnection(em, { account });
    await isAt(page, 'Connect an ad platform', 'Done');
    await givenLead(em, { account });
    await isAt(page, 'Make a test click', 'Done');
    await page.getByLabel('Leads by day').waitFor();
    await givenApiKey(em, { account, isTest: true });
    await step(page, 'Register a test sale').getByRole('link', { name: 'See the keys' }).waitFor();
    expect(await step(page, 'Go live').getByRole('link', { name: 'Import a file' }).getAttribute('href')).toBe(
      `/a/${account.id}/imports`,
    );
    await givenConversion(em, { account, isTest: true });
    await isAt(page, 'Go live', 'Next');
    await page.getByText('4 of 5 steps are done').waitFor();
    await leaveScreenshot(page, 'console-first-steps-done');
    await givenConversion(em, { account, amount: '99' });
    await page.getByRole('heading', { name: 'Until the first sale' }).waitFor({ state: 'detached' });
    await page.getByText('Revenue USD').first().waitFor();
    expect(troubles).toEqual([]);
  });

  it.each([
    ['marketer', ['Connect an ad platform', 'Register a test sale', 'Go live']],
    ['partner-viewer', ['Create a landing page', 'Connect an ad platform', 'Register a test sale', 'Go live']],
  ] as const)('says to a %s, also on a phone, which steps another role does', async (role, others) => {
    const person = await console.person({ role, accounts: [account.id] });
    const page = await openAs(person, { viewport: { width: 390, height: 844 } });
    await page.getByText('0 of 5 steps are done').waitFor();
    for (const title of others) {
      await step(page, title).getByText('Your role does not do this').waitFor();
      expect(await step(page, title).getByRole('link').count()).toBe(0);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await axeFindings(page)).toEqual([]);
    await leaveScreenshot(page, `console-first-steps-${role}`);
  });
});
