import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { givenBrowser, troublesOf } from '../support/given-browser.ts';
import { type ConsoleDouble, givenConsoleDouble } from './console-double.ts';
import { invitationToken, rightCode } from './session-double.ts';

const password = 'a sentence that only Ana knows';

describe('a person in the console', () => {
  let browser: Browser;
  let double: ConsoleDouble;
  // one for all journeys: its process has compiled the console when it opens the next screen
  let page: Page;
  beforeAll(async () => {
    [browser, double] = await Promise.all([givenBrowser(), givenConsoleDouble()]);
    page = await browser.newPage({ locale: 'en-US' });
  });
  afterAll(async () => {
    await browser.close();
    await double[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.emulateMedia({ colorScheme: null });
    await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    double.reset();
  });
  const open = (path: string) => page.goto(double.url + path);
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const type = (text: string) => page.keyboard.type(text);
  const press = (...keys: readonly string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

  it('signs in with the keyboard alone, after a wrong code, and reaches the screen that was asked for', async () => {
    await open('/a/1/deliveries?state=failed');
    await heading('Sign in').waitFor();
    await press('Tab');
    await type('ana@example.com');
    await press('Tab');
    await type(password);
    await press('Tab');
    await type('000000');
    await press('Enter');
    await page.getByRole('alert').getByText('Email, password or code is wrong.').waitFor();
    await type(rightCode);
    await press('Enter');
    await heading('Deliveries').waitFor();
    expect(new URL(page.url()).search).toBe('?state=failed');
    expect(double.posts.at(-1)).toEqual({
      path: '/session/sign-in',
      body: { email: 'ana@example.com', password, code: rightCode },
    });
  });

  it('does not follow a sign-in link to another host', async () => {
    await open('/sign-in?next=//evil.example/');
    await page.getByLabel('Email').fill('ana@example.com');
    await page.getByLabel('Password').fill(password);
    await page.getByLabel('Code').fill(rightCode);
    await press('Enter');
    await heading('Overview').waitFor();
    expect(new URL(page.url()).origin).toBe(double.url);
  });

  it('accepts an invitation: password, second factor by picture or text, and is signed in', async () => {
    await open(`/invitation#${invitationToken}`);
    await page.getByText('You were invited as marketer').waitFor();
    await page.getByLabel('Choose a password').fill(password);
    await press('Enter');
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    await page.getByText('JBSW Y3DP EHPK 3PXP').waitFor();
    await page.getByLabel('Code', { exact: true }).fill('999999');
    await press('Enter');
    await page.getByText('This code is wrong or was replaced.').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(rightCode);
    await press('Enter');
    await heading('Overview').waitFor();
    expect(double.posts.map(({ path }) => path)).toEqual([
      '/invitation/read',
      '/invitation/password',
      '/invitation/accept',
      '/invitation/accept',
    ]);
  });

  it('reads what to do if the invitation was used or has expired', async () => {
    await open(`/invitation#${'u'.repeat(43)}`);
    await heading('This invitation does not work').waitFor();
    expect(await page.getByText('Ask the person who invited you for a new one.').isVisible()).toBe(true);
  });

  it('signs in again in the middle of a form, and finds it as it was', async () => {
    double.signIn();
    await open('/a/1/deliveries');
    await page.getByLabel('Select Conversion order-2026-199').check();
    await page.getByLabel('Find by conversion id').fill('4177');
    double.endSession();
    await page.getByRole('button', { name: 'Retry 1' }).click();
    await heading('You are signed out').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('ana@example.com');
    await page.getByLabel('Password').fill(password);
    await page.getByLabel('Code').fill(rightCode);
    await press('Enter');
    await heading('You are signed out').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Find by conversion id').inputValue()).toBe('4177');
    expect(await page.getByLabel('Select Conversion order-2026-199').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Retry 1' }).click();
    await page.getByText('It was delivered in the meantime: nothing was sent.').waitFor();
  });

  it('counts a retry before it starts it, and follows its progress to the end', async () => {
    double.signIn();
    await open('/a/1/undelivered');
    await page.getByRole('button', { name: 'Retry… Meta · Failed · event_too_old' }).click();
    await page.getByText('88 more stay as they are').waitFor();
    await page.getByRole('button', { name: 'Retry 1,204 · USD 31,220' }).click();
    await page.getByText('Retry started.').waitFor();
    await page.getByText('Retry finished: 1,204 deliveries are pending again.').waitFor();
    const filter = { connectionId: 1, state: 'failed', code: 'event_too_old' };
    expect(double.posts).toEqual([
      { path: '/accounts/1/undelivered/count', body: filter },
      { path: '/accounts/1/undelivered/retry', body: filter },
    ]);
  });

  it('learns that a retry is finished also if it was never in the list as running', async () => {
    double.signIn();
    await page.route('**/tasks', async (route) => {
      let response = await route.fetch();
      while ((await response.text()).includes('"running"')) response = await route.fetch();
      await route.fulfill({ response });
    });
    await Promise.all([page.waitForResponse('**/tasks'), open('/a/1/undelivered')]);
    await page.getByRole('button', { name: 'Retry… Meta · Failed · event_too_old' }).click();
    const [readAgain] = await Promise.all([
      page.waitForResponse('**/undelivered'),
      page.getByText('Retry finished: 1,204 deliveries are pending again.').waitFor(),
      page.getByRole('button', { name: 'Retry 1,204 · USD 31,220' }).click(),
    ]);
    expect(readAgain.status()).toBe(200);
  });

  it('reads of a correction what is told and what was before, and how many wait for their conversion', async () => {
    double.signIn();
    await open('/a/1/deliveries');
    const row = page.getByRole('row').filter({ hasText: 'order-2026-189' });
    await row.getByText('was USD 299.90').waitFor();
    expect(await row.textContent()).toMatch(/New amount.*USD\s249\.90was USD\s299\.90/);
    await open('/a/1/connections/1');
    await page.getByText('Corrections that wait until their conversion is confirmed: 3').waitFor();
    expect(await page.getByText('Active', { exact: true }).count()).toBe(1);
  });

  it('is offered no retry if the role may only read', async () => {
    double.signIn('partner-viewer');
    await open('/a/1/undelivered');
    await page.getByText('Your role may read, but not retry.').waitFor();
    expect(await page.getByRole('button', { name: /^Retry/ }).count()).toBe(0);
    await open('/a/1/deliveries/192');
    await heading('Attempts').waitFor();
    expect(await page.getByRole('button', { name: /^Retry/ }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });

  it('goes through deliveries by keyboard: rows, drawer, its neighbours, and back to the row', async () => {
    double.signIn();
    await open('/a/1/deliveries?platform=google');
    await page.getByRole('link', { name: 'order-2026-199' }).waitFor();
    await press('j', 'j', 'Enter');
    await heading('Delivery 196').waitFor();
    await press('j');
    await heading('Delivery 193').waitFor();
    await press('k', 'k');
    await heading('Delivery 199').waitFor();
    expect(new URL(page.url()).search).toBe('?platform=google');
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/a/1/deliveries');
    await press('/');
    await type('4177');
    await press('Enter');
    await page.getByRole('button', { name: 'Remove filter: Conversion 4177' }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ platform: 'google', conversion: '4177' });
  });

  it('retries all that a connection did not deliver since a delivery, after it was counted', async () => {
    double.signIn();
    await open('/a/1/deliveries/197');
    await page.getByRole('button', { name: 'Retry all since this one…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry deliveries' });
    await dialog.getByText('Connection 3: all that was not delivered since delivery 197').waitFor();
    await dialog.getByRole('button', { name: /^Retry \d/ }).click();
    await page.getByText('Retry started').waitFor();
    const filter = { connectionId: 3, since: 197 };
    expect(double.posts).toEqual([
      { path: '/accounts/1/undelivered/count', body: filter },
      { path: '/accounts/1/undelivered/retry', body: filter },
    ]);
  });

  it('filters by what a cell shows, loads older pages, and removes a filter', async () => {
    double.signIn();
    await open('/a/1/deliveries');
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('link', { name: 'order-2026-101' }).waitFor();
    await page.getByTitle('Filter by this: consent').first().click();
    await page.getByRole('button', { name: 'Remove filter: Reason: consent' }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ state: 'skipped', code: 'consent' });
    await page.getByRole('button', { name: 'Remove filter: Skipped' }).click();
    await page.getByRole('link', { name: 'order-2026-200' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('moves the period by its own length, and chooses what the chart shows; the URL says both', async () => {
    double.signIn();
    await open('/a/1/overview?from=2026-11-01&to=2026-11-10');
    await page.getByRole('button', { name: 'Earlier period' }).click();
    await page.getByRole('link', { name: /Revenue USD/ }).click();
    await page.getByLabel('Revenue USD by day').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      from: '2026-10-22',
      to: '2026-10-31',
      show: 'revenue.USD',
    });
    await page.getByLabel('Revenue USD by day').focus();
    await press('Home');
    const said = await page.getByLabel('Revenue USD by day').getAttribute('aria-valuetext');
    expect(said?.replaceAll('\u00a0', ' ')).toMatch(/^Oct 22: USD [\d,.]+ \(Before: USD [\d,.]+\)$/);
    await page.getByRole('link', { name: 'summer-sale' }).click();
    await page.getByRole('button', { name: 'Remove filter: Page: summer-sale' }).waitFor();
  });

  it('finds screens, accounts and settings in the palette, and keeps the chosen language', async () => {
    double.signIn();
    await open('/a/1/overview');
    await heading('Overview').waitFor();
    await press('Control+k');
    await page.getByRole('combobox').waitFor();
    await type('espanol');
    await press('Enter');
    await heading('Resumen').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('es');
    await page.reload();
    await heading('Resumen').waitFor();
    await press('Control+k');
    await page.getByRole('combobox').waitFor();
    await type('globex');
    await press('Enter');
    await page.getByText('Esta cuenta está suspendida.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/a/2/overview');
  });

  it('keeps the chosen theme, and follows the system without a choice', async () => {
    double.signIn();
    await page.emulateMedia({ colorScheme: 'dark' });
    await open('/a/1/overview');
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await heading('Overview').waitFor();
    const dark = await background();
    await page.getByRole('button', { name: /^Menu/ }).click();
    await page.getByRole('button', { name: 'Light', exact: true }).click();
    await page.reload();
    await heading('Overview').waitFor();
    expect(await background()).not.toBe(dark);
  });

  it('reads what failed with the request id, and tries again', async () => {
    double.signIn();
    double.fail(/undelivered/, 500);
    await open('/a/1/undelivered');
    const alert = page.getByRole('alert');
    await alert.getByText('The server reported an internal error.').waitFor();
    expect(await alert.textContent()).toMatch(/Request id: [\da-f-]{36}/);
    double.repair();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('event_too_old').first().waitFor();
  });

  it('keeps what it sees, with its age, while the server is unavailable', async () => {
    double.signIn();
    await open('/a/1/undelivered');
    await page.getByRole('button', { name: 'Retry all…' }).click();
    await page.getByRole('button', { name: /^Retry 1,204/ }).click();
    double.fail(/undelivered$/, 503);
    await page.getByText('The server did not respond. You see data from').waitFor();
    expect(await page.getByText('event_too_old').first().isVisible()).toBe(true);
    double.repair();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The server did not respond.').waitFor({ state: 'detached' });
  });

  it('reads below the rows that older ones failed to load, and loads them with one click', async () => {
    double.signIn();
    await open('/a/1/deliveries');
    await page.getByRole('button', { name: 'Load more' }).waitFor();
    double.fail(/deliveries$/, 500);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('alert').getByText('The server reported an internal error.').waitFor();
    expect(await page.getByText('The server did not respond.').count()).toBe(0);
    double.repair();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'order-2026-101' }).waitFor();
  });

  it('downloads the campaigns as CSV, without formulas for a spreadsheet', async () => {
    double.signIn();
    await open('/a/1/overview?by=campaign&from=2026-11-01&to=2026-11-10');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('leadback-campaign-2026-11-01-2026-11-10.csv');
    const lines = (await readFile(await download.path(), 'utf8')).split('\n');
    expect(lines[0]).toBe('"Campaign","leads","clients","conversions","revenue.ARS","revenue.USD"');
    expect(lines[1]).toMatch(/^"'=brand-search-ar",\d+,\d+,\d+,\d+,[\d.]+$/);
    expect(lines.at(-2)).toMatch(/^"All others",/);
  });

  it('signs out, and sees nothing of the account afterwards', async () => {
    double.signIn();
    await open('/a/1/overview');
    const troubles = troublesOf(page, double.url);
    await page.getByRole('button', { name: /^Menu/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading('Sign in').waitFor();
    await page.goBack();
    await heading('Sign in').waitFor();
    expect(troubles).toEqual([]);
  });
});
