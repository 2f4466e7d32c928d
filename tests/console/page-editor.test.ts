import { type Account, AuditEntry, LandingPage } from '@leadback/db';
import { givenAccount, givenLandingPage } from '@leadback/testing';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { axeFindings, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { openerOf, previewIn, savePage, screens } from './given-screens.ts';

describe('the editor of a page, from the browser to PostgreSQL', async () => {
  const { browser, console } = await screens();
  const operator = await console.person({ role: 'operator' });
  let account: Account;
  let page: Page;
  let troubles: string[];
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
    page = await openAs(operator);
    troubles = troublesOf(page, console.url);
  });

  const openAs = openerOf(browser, console);
  const givenPage = (options: Parameters<typeof givenLandingPage>[1] = {}) =>
    givenLandingPage(console.database.em(), { account, ...options });
  const stored = (id: number) => console.database.em().findOneOrFail(LandingPage, { id });
  const open = (rest = '', within = page) => within.goto(`${console.url}/a/${account.id}/pages${rest}`);

  it('two people edit one page: the second is shown what changed, chooses, and overwrites nothing unseen', async () => {
    const { id } = await givenPage({ title: 'Sandals', buttonLabel: 'Buy', text: 'All sizes' });
    const other = await console.person({ role: 'marketer', accounts: [account.id] });
    await open(`/${id}`);
    await page.getByLabel('Heading').fill('Sandals, my way');
    await page.getByLabel('Target page').fill('https://shop.example/mine');

    const theirs = await openAs(other);
    await open(`/${id}`, theirs);
    await theirs.getByLabel('Heading').fill('Sandals, their way');
    await theirs.getByLabel('Button', { exact: true }).fill('See all');
    await savePage(theirs);
    await theirs.getByText('Saved. Visitors see it').waitFor();

    await savePage(page);
    await page.getByRole('heading', { name: 'This page has changed meanwhile' }).waitFor();
    await page.getByText(`Changed by ${other.email}.`).waitFor();
    expect(await stored(id)).toMatchObject({ title: 'Sandals, their way', targetUrl: 'https://shop.example/offer' });
    await leaveScreenshot(page, 'console-page-conflict');
    const heading = page.getByRole('group', { name: 'Heading' });
    const button = page.getByRole('group', { name: 'Button' });
    expect(await button.getByLabel('Theirs').isChecked()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save this choice' }).isDisabled()).toBe(true);
    await heading.getByText('Sandals, my way').click();
    await page.getByRole('button', { name: 'Save this choice' }).click();
    await page.getByText('Saved. Visitors see it').waitFor();
    expect(await stored(id)).toMatchObject({
      title: 'Sandals, my way',
      buttonLabel: 'See all',
      text: 'All sizes',
      targetUrl: 'https://shop.example/mine',
    });
    const [last] = await console.database.em().find(AuditEntry, { target: `page ${id}` }, { orderBy: { id: 'desc' } });
    expect(last).toMatchObject({
      actor: operator.email,
      details: {
        title: { before: 'Sandals, their way', after: 'Sandals, my way' },
        targetUrl: { before: 'https://shop.example/offer', after: 'https://shop.example/mine' },
      },
    });
    expect(troubles).toEqual([]);
  });

  it('keeps what was typed when the session ends, and saves it after a new sign-in', async () => {
    const { id } = await givenPage();
    const marketer = await console.person({ role: 'marketer', accounts: [account.id] });
    const own = await openAs(marketer);
    await open(`/${id}`, own);
    await own.getByLabel('Heading').fill('Typed before the end');
    await previewIn(own).getByRole('heading', { name: 'Typed before the end' }).waitFor();
    await console.database.pool.query('update person_session set expires_at = now() where person_id = $1', [
      marketer.personId,
    ]);
    await savePage(own);
    await own.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await own.getByLabel('Password').fill(marketer.password);
    await own.getByLabel('Code').fill(marketer.code());
    await own.keyboard.press('Enter');
    await own.getByRole('heading', { name: 'You are signed out' }).waitFor({ state: 'detached' });
    expect(await own.getByLabel('Heading').inputValue()).toBe('Typed before the end');
    await savePage(own);
    await own.getByText('Saved. Visitors see it').waitFor();
    await own.getByLabel('Heading').fill('And the preview follows again');
    await previewIn(own).getByRole('heading', { name: 'And the preview follows again' }).waitFor();
    expect((await stored(id)).title).toBe('Typed before the end');
  });

  it('a preview runs nothing and sends its form nowhere', async () => {
    const { id } = await givenPage({ askedFields: ['name'] });
    await open(`/${id}`);
    await page.getByLabel('Heading').fill('<img src=x onerror=alert(1)>');
    await previewIn(page).getByRole('heading', { name: '<img src=x' }).waitFor();
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(request.url());
    });
    await previewIn(page).getByLabel('Name').fill('Ana');
    await previewIn(page).getByRole('button', { name: 'Continue' }).click();
    await previewIn(page).getByRole('heading', { name: '<img src=x' }).waitFor();
    expect(posts).toEqual([]);
    // the browser says that it has blocked the form, and nothing else
    expect(troubles.filter((trouble) => !trouble.includes('Blocked form submission'))).toEqual([]);
  });

  it('works on a phone, where the preview has a tab of its own, and axe finds nothing', async () => {
    const { id } = await givenPage({
      title: 'Sandals',
      consentText: 'You may use my data',
      accentColor: '#0b6b3a',
    });
    const own = await openAs(operator, { viewport: { width: 360, height: 800 } });
    await open(`/${id}`, own);
    await own.getByLabel('Heading').fill('Sandals on a phone');
    await own.getByRole('button', { name: 'Preview' }).click();
    await previewIn(own).getByRole('heading', { name: 'Sandals on a phone' }).waitFor();
    expect(await own.getByLabel('Heading').isVisible()).toBe(false);
    await leaveScreenshot(own, 'console-page-preview-360');
    expect(await axeFindings(own)).toEqual([]);
    await own.getByRole('button', { name: 'Edit' }).click();
    await own.getByRole('button', { name: 'Upload an image: Logo' }).count();
    expect(await axeFindings(own)).toEqual([]);
    await savePage(own);
    await own.getByText('Saved. Visitors see it').waitFor();
  });
});
