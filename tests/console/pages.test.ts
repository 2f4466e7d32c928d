import { type Account, LandingPage } from '@leadback/db';
import { givenAccount, givenLandingPage, png } from '@leadback/testing';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { troublesOf } from '../support/given-browser.ts';
import { makeOld, openerOf, previewIn, savePage, screens } from './given-screens.ts';

describe('the pages of an account, from the browser to PostgreSQL', async () => {
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

  it('a marketer creates a page, sees it while typing, and saves it', async () => {
    await open();
    await page.getByRole('heading', { name: 'No pages yet' }).waitFor();
    await page.getByRole('button', { name: 'New page' }).click();
    await page.getByLabel('Name in the URL').fill('Summer Sale');
    await page.getByLabel('Target page').fill('shop.example');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a full URL with https://').waitFor();
    await page.getByLabel('Target page').fill('https://shop.example/summer');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'summer-sale' }).waitFor();
    await previewIn(page).getByRole('heading', { name: 'One more step' }).waitFor();
    await page.getByLabel('Heading').fill('Sandals at half price');
    await page.getByLabel('Text', { exact: true }).fill('- light\n- *cool*');
    await page.getByLabel('Email').check();
    await page.getByLabel('Upload an image: Logo').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: png });
    await page.getByText('1 × 1 pixels').waitFor();
    await previewIn(page).getByRole('heading', { name: 'Sandals at half price' }).waitFor();
    await previewIn(page).getByLabel('Email').waitFor();
    await previewIn(page).locator('img.logo').waitFor();
    await savePage(page);
    await page.getByText('Saved. Switch the page on, so that visitors find it.').waitFor();
    const [saved] = await console.database.em().find(LandingPage, { account });
    expect(saved).toMatchObject({
      slug: 'summer-sale',
      title: 'Sandals at half price',
      text: '- light\n- *cool*',
      askedFields: ['email'],
      logo: { src: expect.stringContaining('/media/'), width: 1 },
    });
    expect(troubles).toEqual([]);
  });

  it('switches a page off and on again by keyboard, and finds it by its heading', async () => {
    const { id, slug } = await givenPage({ title: 'Winter boots' });
    await givenPage({ title: 'Sandals' });
    await open();
    await page.getByText('Winter boots').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('winter');
    await page.getByText('Sandals').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?find=winter');
    await page.getByRole('switch', { name: `${slug} is on` }).focus();
    await page.keyboard.press('Space');
    await page.getByText(`${slug} is off: visitors do not find it.`).waitFor();
    expect((await stored(id)).isOn).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`${slug} is on.`).waitFor();
    expect((await stored(id)).isOn).toBe(true);
    await page.getByRole('searchbox').press('Tab');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: slug }).waitFor();
    expect(troubles).toEqual([]);
  });

  it('asks for the second factor by keyboard when it is old, and then goes on with the change, once for all of them', async () => {
    const { id, slug } = await givenPage({ targetUrl: 'https://shop.example/' });
    const person = await console.person({ role: 'marketer', accounts: [account.id] });
    const own = await openAs(person);
    await makeOld(console, person);
    await open('', own);
    await own.getByRole('switch', { name: `${slug} is on` }).press('Space');
    await own.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    expect((await stored(id)).isOn).toBe(true);
    await own.keyboard.type(person.code());
    await own.keyboard.press('Enter');
    await own.getByText(`${slug} is off: visitors do not find it.`).waitFor();
    expect((await stored(id)).isOn).toBe(false);
    // within the same minutes nothing asks again
    await own.getByRole('link', { name: slug, exact: true }).click();
    await own.getByLabel('Target page').fill('https://other.example/');
    await savePage(own);
    await own.getByText('Saved. Switch the page on, so that visitors find it.').waitFor();
    await own.getByRole('link', { name: 'All pages' }).click();
    await own.getByText(`the clicks of ${slug} go to other.example, and no longer to shop.example`).waitFor();
  });

  it('asks before unsaved changes are left, and goes back past no preview', async () => {
    const { slug } = await givenPage();
    await givenPage();
    await open();
    await page.getByRole('link', { name: slug, exact: true }).click();
    for (const heading of ['One', 'Two', 'Three']) {
      await page.getByLabel('Heading').fill(heading);
      await previewIn(page).getByRole('heading', { name: heading }).waitFor();
    }
    await page.goBack();
    await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Stay here' }).click();
    expect(await page.getByLabel('Heading').inputValue()).toBe('Three');
    await page.getByRole('link', { name: 'All pages' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByLabel('Find a page').waitFor();
    expect(troubles).toEqual([]);
  });

  it('a role that may only read sees the page and its preview, and can change nothing', async () => {
    const { id } = await givenPage({ title: 'Sandals', askedFields: ['phone'] });
    const viewer = await console.person({ role: 'partner-viewer', accounts: [account.id] });
    const own = await openAs(viewer);
    await open(`/${id}`, own);
    await own.getByText('Your role may read this page, but not change it.').waitFor();
    await previewIn(own).getByRole('heading', { name: 'Sandals' }).waitFor();
    expect(await own.getByLabel('Heading').isDisabled()).toBe(true);
    expect(await own.getByRole('switch').isDisabled()).toBe(true);
    expect(await own.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });
});
