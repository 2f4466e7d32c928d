import { type Account, LandingPage } from '@leadback/db';
import { givenAccount, givenLandingPage, givenNameServer, shared, unique } from '@leadback/testing';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { axeFindings, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { givenBuiltConsole, openerOf, screens } from './given-screens.ts';

const phone = { viewport: { width: 390, height: 844 } };
const overflowOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth');

describe('the ways in which clicks arrive', async () => {
  const { browser } = await screens();
  const dns = await shared(givenNameServer());
  const console = await shared(givenBuiltConsole({ nameServer: dns.address }));
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
  const open = (rest = '', within = page) => within.goto(`${console.url}/a/${account.id}/pages${rest}`);
  const arrive = (pageId: number, change: { readonly isTest?: boolean } = {}) =>
    console.database.pool.query(
      `insert into lead (account_id, landing_page_id, reference, click_parameters, is_test)
       values ($1, $2, $3, '{"gclid": "G", "utm_campaign": "spring"}', $4)`,
      [account.id, pageId, unique('reference'), change.isTest ?? false],
    );
  const copied = (within = page) => within.evaluate('navigator.clipboard.readText()');

  it('leads by keyboard from the choice to the line of the script, and turns green when the first click arrives', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open();
    await page.getByRole('heading', { name: 'Where do your clicks arrive?' }).waitFor();
    expect(await page.getByRole('listitem').getByRole('heading', { level: 3 }).count()).toBe(4);
    await page.getByRole('link', { name: 'Get the line' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'A script on your pages' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Mi Tienda');
    await page.getByLabel('Sites that have the script').fill('shop.example');
    await page.getByRole('button', { name: 'Create, and show the line' }).press('Enter');
    await page.getByText('Enter at least one site').waitFor();
    await page.getByLabel('Sites that have the script').fill('https://shop.example\nhttps://www.shop.example');
    await page.getByRole('button', { name: 'Create, and show the line' }).press('Enter');
    await page.getByRole('heading', { name: 'mi-tienda', level: 1 }).waitFor();
    const line = '<script defer src="https://go.example/leadback.js" data-page="mi-tienda"></script>';
    await page.getByText(line).waitFor();
    await page.getByRole('button', { name: 'Copy: The line for your pages' }).click();
    expect(await copied()).toBe(line);
    await page.getByLabel('Which line?').selectOption('pinnedSnippet');
    await page.getByText('integrity="sha384-').waitFor();
    const test = page.getByRole('link', { name: 'Make a test click' });
    expect(await test.getAttribute('href')).toBe('https://shop.example/?utm_source=leadback&utm_campaign=test-click');
    await page.getByText('Waiting for the first click').waitFor();
    await page.getByText('Nothing arrives?').click();
    await page.getByText('www. and another port make it another site').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const [made] = await console.database.em().find(LandingPage, { account });
    // nothing is loaded again by hand
    await arrive(made?.id ?? 0);
    await page.getByText('Clicks arrive', { exact: true }).waitFor();
    await page.getByText('from Google Ads · campaign spring').waitFor();
    await page.getByRole('link', { name: 'All pages' }).click();
    await page.getByText('Script on your site').waitFor();
    expect(troubles).toEqual([]);
  });

  it('changes the sites of a page with the script, and deletes it after a question', async () => {
    const made = await givenLandingPage(console.database.em(), {
      account,
      mode: 'script',
      origins: ['https://shop.example'],
      targetUrl: 'https://shop.example/',
    });
    await open(`/${made.id}`);
    await page.getByLabel('Sites that have the script').fill('https://other.example');
    await page.getByLabel('Wait until visitors agree').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. It works within seconds.').waitFor();
    await page.getByText('data-consent="wait"').waitFor();
    const stored = await console.database.em().findOneOrFail(LandingPage, { id: made.id });
    expect(stored).toMatchObject({ origins: ['https://other.example'], waitsForConsent: true });
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByText('Its leads, clients, sales and figures stay').waitFor();
    const confirm = page.getByRole('button', { name: 'Delete for good' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.keyboard.type(made.slug);
    await page.keyboard.press('Enter');
    await page.getByText(`${made.slug} is deleted.`).waitFor();
    await page.getByRole('heading', { name: 'No pages yet' }).waitFor();
    expect(troubles).toEqual([]);
  });

  it('shows the request of an own server, and waits for its first click, also with a test key', async () => {
    await open('#server');
    await page.getByText('curl https://api.example/api/v1/lead').waitFor();
    expect(await page.getByRole('link', { name: 'Read the guide' }).getAttribute('href')).toBe(
      'https://api.example/docs/clicks',
    );
    await page.getByText('Waiting for the first click').waitFor();
    const { rows } = await console.database.pool.query<{ id: number }>(
      `insert into landing_page (account_id, slug, target_url, is_on, is_of_server, mode)
       values ($1, $2, 'https://shop.example/', false, true, 'direct') returning id`,
      [account.id, unique('server')],
    );
    await arrive(rows[0]?.id ?? 0, { isTest: true });
    await page.getByText('Reported with a test key: it counts nowhere.').waitFor();
    // its page is no page that anybody visits
    await open('');
    await page.getByText('Clicks of your server').waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
    await open(`/${rows[0]?.id}`);
    await page.getByRole('heading', { name: 'Clicks of your server' }).waitFor();
    await page.getByText('Reported with a test key: it counts nowhere.').waitFor();
    for (const text of ['URLs for your ads', 'Target page']) expect(await page.getByText(text).count()).toBe(0);
    await page.getByRole('link', { name: 'Issue a test key' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(troubles).toEqual([]);
  });

  it('shows the record of a domain, what is wrong with it in words, and that it works once DNS says so', async () => {
    const name = `go.${unique('shop')}.example`;
    const landing = { 'go.example': { A: '203.0.113.7' } };
    dns.serve(landing);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('#domains');
    await page.getByLabel('Host name').fill('https://shop.example/');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a whole host name that is yours').waitFor();
    await page.getByLabel('Host name').fill(name);
    await page.keyboard.press('Enter');
    const domain = page.getByRole('region', { name });
    await domain.getByText('Waits for DNS').waitFor();
    await domain.getByText('CNAME', { exact: true }).waitFor();
    await domain.getByRole('button', { name: 'Copy: Value' }).first().click();
    expect(await copied()).toBe('go.example');
    dns.serve({ ...landing, [name]: { A: '198.51.100.1' } });
    await domain.getByRole('button', { name: 'Check now' }).click();
    await domain.getByText('The name leads to 198.51.100.1, and not to Leadback.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    dns.serve({ ...landing, [name]: 'SERVFAIL' });
    await domain.getByRole('button', { name: 'Check now' }).click();
    await domain.getByText('DNS did not answer').waitFor();
    dns.serve({ ...landing, [name]: { CNAME: 'go.example' } });
    await domain.getByRole('button', { name: 'Check now' }).click();
    await domain.getByText('Works', { exact: true }).waitFor();
    await domain.getByText('Use it in your ads').waitFor();
    await domain.getByRole('button', { name: `Remove ${name}` }).click();
    await page.getByText('visitors who click an ad that leads there see an error').waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.getByText('No domain yet').waitFor();
    expect(troubles).toEqual([]);
  });

  it('says to a role that may only read what it is, and offers nothing to change', async () => {
    const viewer = await console.person({ role: 'partner-viewer', accounts: [account.id] });
    const own = await openAs(viewer);
    await open('', own);
    await own.getByRole('heading', { name: 'No pages yet' }).waitFor();
    expect(await own.getByRole('heading', { name: 'Where do your clicks arrive?' }).count()).toBe(0);
    for (const way of ['#script', '#server', '#domains']) {
      await own.goto('about:blank');
      await open(way, own);
      await own.getByText('Your role may look at this, but not change it.').waitFor();
      expect(await own.getByRole('textbox').count()).toBe(0);
    }
  });

  it('fits a phone in Spanish, and a desk', async () => {
    const made = await givenLandingPage(console.database.em(), {
      account,
      slug: unique('tienda'),
      mode: 'script',
      origins: ['https://www.zapatos.example'],
      targetUrl: 'https://www.zapatos.example/',
    });
    dns.serve({ 'go.example': { A: '203.0.113.7' }, 'go.zapatos.example': { CNAME: 'otra.example' } });
    const { rows } = await console.database.pool.query<{ id: number }>(
      `insert into own_domain (account_id, name) values ($1, 'go.zapatos.example') returning id`,
      [account.id],
    );
    await operator.post(`/api/accounts/${account.id}/domains/${rows[0]?.id ?? 0}/check`, {});
    const views = [
      ['ways', '', '¿A dónde llegan tus clics?'],
      ['script-new', '#script', 'Sitios que tienen el script'],
      ['script', `/${made.id}`, 'Esperando el primer clic'],
      ['server', '#server', 'La petición de tu servidor'],
      ['domains', '#domains', 'go.zapatos.example'],
    ] as const;
    for (const [size, options] of [
      ['phone', phone],
      ['desk', {}],
    ] as const) {
      const own = await openAs(operator, { ...options, locale: 'es-AR' });
      for (const [name, path, text] of views) {
        await own.goto('about:blank');
        await open(path, own);
        await own.getByText(text).first().waitFor();
        expect([name, size, Number(await overflowOf(own)) <= 0]).toEqual([name, size, true]);
        expect(await axeFindings(own)).toEqual([]);
        await leaveScreenshot(own, `console-clicks-${name}-${size}`);
      }
      await own.context().close();
    }
  });
});
