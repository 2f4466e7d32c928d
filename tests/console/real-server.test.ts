import { givenAccount, givenConnection, givenConversion, givenDelivery } from '@leadback/testing';
import { Secret, TOTP } from 'otpauth';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenConsole, type TestConsole } from '../../apps/console/test/given-console.ts';
import { givenBrowser, troublesOf } from '../support/given-browser.ts';
import { builtWeb } from './built-web.ts';

describe('the console, from the browser to PostgreSQL', () => {
  let console: TestConsole;
  let browser: Browser;
  beforeAll(async () => {
    [browser, console] = await Promise.all([
      givenBrowser(),
      builtWeb().then((webFolder) => givenConsole({ webFolder })),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await console[Symbol.asyncDispose]();
  });

  it('an invited operator sets up a second factor, finds what was not delivered, and sends it again', async () => {
    const em = console.database.em();
    const account = await givenAccount(em);
    const connection = await givenConnection(em, { account });
    for (const _ of [1, 2, 3]) {
      const conversion = await givenConversion(em, { account });
      await givenDelivery(em, { connection, conversion, state: 'failed', reason: 'HTTP 400: broken' });
    }
    const { token } = await console.invite({ role: 'operator' });
    const page = await browser.newPage({ locale: 'en-US' });
    const troubles = troublesOf(page, console.url);

    await page.goto(`${console.url}/invitation#${token}`);
    await page.getByLabel('Choose a password').fill('a sentence that only Ana knows');
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    const secret = (await page.getByRole('main').locator('code').textContent()) ?? '';
    const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
    await page.getByLabel('Code', { exact: true }).fill(totp.generate());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    await page.goto(`${console.url}/a/${account.id}/undelivered`);
    await page.getByText('Not delivered: 3').waitFor();
    await page.getByRole('button', { name: 'Retry all…' }).click();
    await page.getByRole('button', { name: /^Retry 3 · / }).click();
    await page.getByText('Retry finished: 3 deliveries are pending again.').waitFor();
    await page.getByText('Everything was delivered').waitFor();

    await page.getByRole('link', { name: 'See all deliveries' }).click();
    await page.getByRole('row').filter({ hasText: 'Pending' }).nth(2).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('Retry requested').waitFor();
    expect(troubles).toEqual([]);
    await page.close();
  });
});
