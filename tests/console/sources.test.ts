import { createHmac } from 'node:crypto';
import { refusalCounter } from '@leadback/core/sources/refusals';
import { createSource, findListedSource, sourceUrl } from '@leadback/core/sources/sources';
import type { Account } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { givenAccount, givenConnection, givenLead, secretsKeys } from '@leadback/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SignedIn } from '../../apps/console/test/given-console.ts';
import { sendToSource } from '../../apps/console/test/given-sources.ts';
import { axeFindings, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { makeOld, pageOf, screens } from './given-screens.ts';

const phone = { viewport: { width: 390, height: 844 } };
const spanish = { locale: 'es-AR' };
const overflowOf = (page: Page) =>
  page.evaluate('Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)');

describe('sources in the browser', async () => {
  const { browser, console, sandboxUrl } = await screens();
  let person: SignedIn;
  let account: Account;
  let page: Page;
  let troubles: string[];
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
    person = await console.person({ role: 'operator' });
    page = await openAs(person);
    troubles = troublesOf(page, console.url);
  });

  const openAs = (who: SignedIn, options: BrowserContextOptions = {}) =>
    pageOf(browser, console, who, { viewport: { width: 1280, height: 900 }, ...options });
  const open = (rest = '', within = page) => within.goto(`${console.url}/a/${account.id}/connections${rest}`);
  const button = (name: string | RegExp, within = page) => within.getByRole('button', { name });
  const add = async (kind: string, content: Readonly<Record<string, unknown>> = {}, label?: string) => {
    const wanted = { actor: 'test', accountId: account.id, kind, label, isTest: false, content };
    const { id, path, secret } = await createSource(console.database.pool, secretsKeys, wanted);
    return { id, url: sourceUrl('https://api.example', path), secret: secret ?? '' };
  };
  const send = (url: string, query: string) => sendToSource(console, { url, query });
  const click = async () => {
    const reference = issueLeadReference(leadReferenceKeys(secretsKeys));
    await givenLead(console.database.em(), { account, reference });
    return reference;
  };
  const order = (secret: string, url: string, body: string, header = 'x-wc-webhook-signature') => {
    const encoding = header.startsWith('x-wc') ? 'base64' : 'hex';
    const signature = createHmac('sha256', secret).update(body).digest(encoding);
    return sendToSource(console, { url, body, headers: { 'content-type': 'application/json', [header]: signature } });
  };

  it('a shop is connected by keyboard: its address and secret are copied, and its first message turns up by itself', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await open();
    await page.getByRole('heading', { name: 'What comes in' }).waitFor();
    await button('Add a source').press('Enter');
    await page.getByRole('link', { name: /^WooCommerce/ }).press('Enter');
    await page.getByLabel('Label (optional)').fill('Shop in Uruguay');
    await button('Add, and show the address').press('Enter');
    await page.getByText('WooCommerce → Settings → Advanced → Webhooks → Add webhook').waitFor();
    await button('Copy: Address').press('Enter');
    const url = String(await copied());
    expect(url).toMatch(/^https:\/\/api\.example\/source\/[0-9A-Za-z]{32}$/);
    await button('Copy: Secret').press('Enter');
    const secret = String(await copied());
    await page.getByText('Waiting for the first message').waitFor();
    await order(secret, url, '{"id":1,"status":"pending","total":"10.00","currency":"USD"}');
    await page.getByText('The first message has arrived.').waitFor();
    await button('See the outcome').press('Enter');
    await page.getByRole('heading', { name: 'WooCommerce · Shop in Uruguay' }).waitFor();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByText('The order is not paid. It counts once it is.').waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(troubles).toEqual([]);
  });

  it('the list turns green by itself when the first message has come', async () => {
    const { url } = await add('postback');
    await open();
    const row = page.getByRole('row', { name: 'Postback' });
    await row.getByText('Waiting for the first message').waitFor();
    await send(url, 'order=A1&status=pending');
    await row.getByText('Active', { exact: true }).waitFor();
    expect(troubles).toEqual([]);
  });

  it('a source that waits turns red by itself when a message has a wrong signature', async () => {
    await open('/sources/stripe');
    await page.getByLabel('Signing secret (optional)').fill('whsec_1');
    await button('Add, and show the address').click();
    await page.getByText('Waiting for the first message').waitFor();
    const { rows } = await console.database.pool.query<{ id: number }>(
      'select id::int from source where account_id = $1',
      [account.id],
    );
    const refusals = refusalCounter();
    refusals.note(rows[0]?.id ?? 0);
    await refusals.save(console.database.pool);
    await page.getByText('Wrong signature').waitFor();
    await page.getByText(/^Refused requests: 1, the last one .* The secrets differ.$/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  it('a webhook asks how its header is written only if one header has the signature', async () => {
    await open('/sources/webhook');
    const header = page.getByLabel('Header (optional)');
    await page.getByLabel('Signature (optional)').waitFor();
    expect(await header.count()).toBe(0);
    await page.getByLabel('Signature (optional)').selectOption('HMAC in a header');
    await header.fill('X-Signature');
    await page.getByLabel('Signature (optional)').selectOption('Standard Webhooks');
    await button('Add, and show the address').click();
    await page.getByRole('heading', { name: 'What to do at the other side' }).waitFor();
    const { rows } = await console.database.pool.query('select settings from source where account_id = $1', [
      account.id,
    ]);
    expect(rows).toEqual([{ settings: { signature: 'standard' } }]);
    expect(troubles).toEqual([]);
  });

  it('what came is listed with its reason and its sale, and a low share of clicks with what raises it', async () => {
    const { id, url } = await add('postback');
    await open(`/sources/${id}`);
    await page.getByText('Waiting for the first message').first().waitFor();
    const call = page.getByRole('link', { name: 'Call the address' });
    expect(await call.getAttribute('href')).toBe(`${url}?ref=test&order=test&status=pending`);
    await send(url, `ref=${await click()}&order=A1&amount=10&currency=USD`);
    await page.getByRole('link', { name: 'See the sale: A1' }).waitFor();
    expect(await page.getByText('What brings more clicks').count()).toBe(0);
    await send(url, 'order=A2&amount=10&currency=USD');
    await page.getByText('50% of 2').waitFor();
    await page.getByText('What brings more clicks').waitFor();
    await page.getByText(/^No click led to this sale/).waitFor();
    await send(url, `ref=${await click()}&order=A3&amount=10&currency=BRL`);
    await page.getByText(/^The account takes no sales in this currency/).waitFor();
    await console.database.pool.query(`update account set currencies = '{USD,BRL}' where id = $1`, [account.id]);
    await button('Work on them again…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Work on them again' }).click();
    await page.getByText('Messages that are worked on again: 2.').waitFor();
    await send(url, 'order=A4&status=pending');
    await page.getByText('66.7% of 3').waitFor();
    await page.getByRole('link', { name: 'See the sale: A1' }).click();
    await page.getByText('A1').first().waitFor();
    expect(troubles).toEqual([]);
  });

  it('a store lets its app in at its own page, and is connected when its owner comes back, also on a phone', async () => {
    const narrow = await openAs(person, phone);
    await open('/sources/tiendanube', narrow);
    await button('Add, and show the address', narrow).press('Enter');
    await narrow.getByText('First enter the App ID').waitFor();
    const id = narrow.url().split('/').at(-1);
    expect(await button('Connect the store', narrow).isDisabled()).toBe(true);
    await narrow.getByLabel('App ID').fill('8123');
    await narrow.getByLabel('Client secret').fill('of the app');
    await button('Save', narrow).press('Enter');
    await narrow.getByText('First enter the App ID').waitFor({ state: 'detached' });
    const returnUrl = `${console.url}/a/${account.id}/connections/sources/${id}`;
    await narrow.getByText(returnUrl, { exact: true }).waitFor();
    const shop = { clientId: '8123', secret: 'of the app', storeId: '5238476', returnUrl };
    const body = JSON.stringify(shop);
    const headers = { 'content-type': 'application/json' };
    await fetch(`${sandboxUrl}/shops/tiendanube`, { method: 'PUT', headers, body });
    await button('Connect the store', narrow).press('Enter');
    await narrow.getByText('The store is connected. Its orders arrive from now on.').waitFor();
    await narrow.getByRole('heading', { name: 'Connected to the store 5238476' }).waitFor();
    expect(narrow.url()).toBe(returnUrl);
    expect(await overflowOf(narrow)).toBe(0);
    expect(await axeFindings(narrow)).toEqual([]);
    await leaveScreenshot(narrow, 'source-connected');
    await narrow.goto(`${returnUrl}?code=late&state=of+nobody`);
    await narrow
      .getByRole('alert')
      .getByText(/^This is not the answer to a connection that you started here/)
      .waitFor();
  });

  it('a new secret is made after the second factor and shown once, a pause is ended, and a deletion asks first', async () => {
    const { id, secret } = await add('woocommerce', {}, 'Shop in Chile');
    await makeOld(console, person);
    await open(`/sources/${id}`);
    await button('New secret…').click();
    await page.getByRole('dialog').getByText('For 24 hours').waitFor();
    await button('Make a new secret').click();
    await page.getByLabel('Code').fill(person.code());
    await page.keyboard.press('Enter');
    await page
      .getByText(/^The secret before is accepted as well until/)
      .first()
      .waitFor();
    const made = await page.getByRole('dialog').locator('code').textContent();
    expect(made).toMatch(/^[0-9A-Za-z]{40}$/);
    expect(made).not.toBe(secret);
    await button('I have stored it').click();
    await page.getByText(/^source .*Added .*The secret before is accepted as well until/).waitFor();

    await button('Pause').click();
    await page.getByText('Paused. What comes is kept, and waits.').waitFor();
    await button('Resume').click();
    await page.getByText('Resumed. Messages that are worked on now: 0.').waitFor();

    await button('Delete…').click();
    const dialog = page.getByRole('dialog', { name: 'Delete WooCommerce · Shop in Chile' });
    await dialog.getByText('Its sales stay').waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await findListedSource(console.database.pool, { id })).toMatchObject({ state: 'active' });
    await button('Delete…').click();
    await button('Delete the source').click();
    await page.getByText('Deleted: WooCommerce · Shop in Chile.').waitFor();
    await expect(findListedSource(console.database.pool, { id })).rejects.toThrow('there is no source');
    expect(troubles.filter((trouble) => !trouble.includes('403'))).toEqual([]);
  });

  it('a source whose other side makes the secret is added first, and asks for it until it is entered', async () => {
    await open('/sources/stripe');
    await button('Add, and show the address').click();
    await page.getByText('Enter the secret that Stripe shows you.').waitFor();
    await button('Enter the secret').click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    const secret = page.getByLabel('Signing secret (optional)');
    await button('Enter the secret').press('Enter');
    expect(await secret.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await secret.fill('sk_live_1');
    await button('Save').click();
    await page.getByText('expected the signing secret of the endpoint, which begins with whsec_').waitFor();
    await secret.fill('whsec_1');
    await button('Save').click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await page.getByText('Enter the secret that Stripe shows you.').waitFor({ state: 'detached' });
    // the browser's own words about the reply 422
    expect(troubles.filter((trouble) => !trouble.includes('422'))).toEqual([]);
  });

  it('the fields of any service are chosen from the message that it sent, without the name of its person', async () => {
    const secret = 'signs';
    const { id, url } = await add('webhook', { signature: 'hmac', header: 'X-Signature', secret });
    const body = JSON.stringify({ kind: 'paid', doc: { no: 'A-1', sum: '10,50' }, who: { mail: 'ana@example.com' } });
    await order(secret, url, body, 'x-signature');
    await open(`/sources/${id}`);
    await page.getByText('conversionExternalReference: not in the message').waitFor();
    await page.getByText(/^The choices are the fields of the message of/).waitFor();
    expect(
      await page.locator('datalist option').evaluateAll((all) => all.map((one) => Reflect.get(one, 'value'))),
    ).toEqual(['kind', 'doc.no', 'doc.sum', 'who.mail']);
    expect(await page.content()).not.toContain('ana@');
    await page.getByLabel('Order number').fill('doc.no');
    await page.getByLabel('It is a sale if (optional)').fill('kind = paid, done');
    await button('Save the fields').click();
    await page.getByText('expected a path such as data.order.id, or = and a constant such as =ARS').waitFor();
    await page.getByLabel('Amount', { exact: true }).fill('doc.sum');
    await page.getByLabel('Email (optional)').fill('who.mail');
    await button('Save the fields').click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const { rows } = await console.database.pool.query(`select settings -> 'map' as map from source where id = $1`, [
      id,
    ]);
    expect(rows).toEqual([
      {
        map: {
          conversionExternalReference: 'doc.no',
          amount: 'doc.sum',
          email: 'who.mail',
          when: { path: 'kind', is: ['paid', 'done'] },
        },
      },
    ]);
    await order(secret, url, body.replace('A-1', 'A-2'), 'x-signature');
    await page.getByText('order A-2').waitFor();
  });

  it('a marketer sees how sources do, and can change none', async () => {
    const { url } = await add('postback');
    await send(url, 'order=A1&amount=10&currency=USD');
    const reader = await openAs(await console.person({ role: 'marketer', accounts: [account.id] }));
    await open('', reader);
    await reader.getByRole('link', { name: /^Postback/ }).click();
    await reader.getByText('Your role can read sources but not change them.').waitFor();
    expect(await reader.content()).not.toContain(url.slice(-32));
    expect(await button('Pause', reader).count()).toBe(0);
  });

  it.each([
    ['1280', spanish],
    ['390', { ...spanish, ...phone }],
  ])('everything fits a screen of %s px in Spanish, and axe finds nothing', async (width, options) => {
    await givenConnection(console.database.em(), { account });
    const shop = await add('tiendanube', { store: '12', secret: 's', accessToken: 't' }, 'Tienda de mates y bombillas');
    const { id, url } = await add('postback', {}, 'Red de afiliados');
    const hmac = { signature: 'hmac', header: 'X-Signature', secret: 's' };
    const service = await add('webhook', hmac);
    await order('s', service.url, '{"pedido":{"numero":"A-1","total":"10,50","moneda":"ARS"}}', 'x-signature');
    await send(url, `ref=${await click()}&order=A1&amount=10&currency=USD`);
    await send(url, 'order=A2&amount=10&currency=USD');
    await send(url, 'order=A3&amount=mucho');
    const seen = await openAs(person, options);
    const looked = troublesOf(seen, console.url);
    const look = async (name: string, rest: string, ready: string) => {
      await open(rest, seen);
      await seen.getByText(ready).first().waitFor();
      await leaveScreenshot(seen, `sources-${name}-${width}`);
      expect([name, await overflowOf(seen)]).toEqual([name, 0]);
      expect([name, await axeFindings(seen)]).toEqual([name, []]);
    };
    await look('list', '', 'Red de afiliados');
    await look('kinds', '/sources/new', 'Pedidos pagados, reembolsos y cancelaciones de tu tienda WooCommerce.');
    await look('form', '/sources/tiendanube', 'Añadir y mostrar la dirección');
    await look('form-webhook', '/sources/webhook', 'Añadir y mostrar la dirección');
    await look('waiting', `/sources/${shop.id}`, 'Espera el primer mensaje');
    await look('source', `/sources/${id}`, 'Ningún clic llevó a esta venta');
    await look('map', `/sources/${service.id}`, '¿Dónde está cada dato en un mensaje?');
    await open('/sources/woocommerce', seen);
    await button('Añadir y mostrar la dirección', seen).click();
    await seen.getByText('Copia el secreto ahora').waitFor();
    await leaveScreenshot(seen, `sources-created-${width}`);
    expect(await overflowOf(seen)).toBe(0);
    expect(await axeFindings(seen)).toEqual([]);
    expect(looked).toEqual([]);
  });
});
