import { createHmac } from 'node:crypto';
import type { Account } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { givenAccount, givenLead, secretsKeys, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createdSourceReply,
  renewedUrlReply,
  replayedReply,
  rotatedSourceReply,
  sourceEventsReply,
  sourceKindsReply,
  sourceReply,
  sourceSampleReply,
  sourcesReply,
  switchedSourceReply,
} from '../src/contract/sources.ts';
import { attentionReply } from '../src/contract/undelivered.ts';
import { givenConsole } from './given-console.ts';
import { sendToSource } from './given-sources.ts';

const tiendanube = { content: { store: '123', secret: 'of the app', accessToken: 'token' } };

describe('sources in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person({ role: 'operator' });

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const path = (rest = '') => `/api/accounts/${account.id}/sources${rest}`;
  const post = (rest: string, body: object = {}) => person.post(path(rest), body);
  const create = async (kind: string, given: object = {}) => {
    const { status, body } = await post('', { kind, isTest: false, content: {}, ...given });
    expect([status, body]).toEqual([201, expect.anything()]);
    return createdSourceReply.parse(body);
  };
  const list = async () => sourcesReply.parse((await person.get(path())).body).items;
  const read = async (id: number) => sourceReply.parse((await person.get(path(`/${id}`))).body);
  const events = async (id: number, rest = '') =>
    sourceEventsReply.parse((await person.get(path(`/${id}/events${rest}`))).body);
  const send = (url: string, query: string) => sendToSource(console, { url, query });
  const click = async () => {
    const reference = issueLeadReference(leadReferenceKeys(secretsKeys));
    await givenLead(console.database.em(), { account, reference });
    return reference;
  };
  const audited = async () => {
    const { rows } = await console.database.pool.query(
      'select actor, action, target, details from audit_entry where account_id = $1 order by id',
      [account.id],
    );
    return rows;
  };
  const signed = (secret: string, url: string, order: object) => {
    const body = JSON.stringify(order);
    const signature = createHmac('sha256', secret).update(body).digest('base64');
    const headers = { 'content-type': 'application/json', 'x-wc-webhook-signature': signature };
    return sendToSource(console, { url, headers, body });
  };

  it('say of each kind, in three languages, what to click there, and which fields it needs', async () => {
    const { items } = sourceKindsReply.parse((await person.get(path('/kinds'))).body);
    expect(items.map(({ name }) => name)).toEqual([
      'woocommerce',
      'tiendanube',
      'mercadopago',
      'shopify',
      'stripe',
      'webhook',
      'postback',
    ]);
    for (const { texts } of items) {
      for (const { help, steps, test, clicks } of [texts.en, texts.es, texts.pt]) {
        expect([help, ...steps, test, clicks].every((text) => text.length > 20)).toBe(true);
        expect(steps.length).toBeGreaterThan(2);
      }
    }
    const needed = items.map(({ name, fields }) => [
      name,
      fields.filter((one) => one.isRequired).map((one) => one.name),
    ]);
    expect(Object.fromEntries(needed)).toEqual({
      woocommerce: [],
      tiendanube: [],
      mercadopago: ['accessToken'],
      shopify: ['shop'],
      stripe: [],
      webhook: [],
      postback: [],
    });
    expect(items.map(({ page }) => page)).toContain('https://api.example/docs/sources#mercado-pago');
    const signature = items.flatMap(({ fields }) => fields).find(({ name }) => name === 'signature');
    expect(signature?.choices).toEqual(['standard', 'hmac']);
  });

  it('are added with the URL to which the other side sends, and a secret that is shown once', async () => {
    const { id, url, secret } = await create('woocommerce', { label: 'Shop in Uruguay' });
    expect(url).toMatch(/^https:\/\/api\.example\/source\/[0-9A-Za-z]{32}$/);
    expect(secret).toMatch(/^[0-9A-Za-z]{40}$/);
    const { text } = await person.get(path(`/${id}`));
    expect(text).not.toContain(secret);
    const { source, ...found } = await read(id);
    expect(found).toEqual({ url, settings: {}, map: null, secrets: ['secret'], earlierUntil: null });
    expect(source).toMatchObject({ title: 'WooCommerce', label: 'Shop in Uruguay', state: 'active', received: 0 });
    expect(await list()).toEqual([source]);
    const details = { kind: 'woocommerce', label: 'Shop in Uruguay', isTest: false };
    expect(await audited()).toEqual([
      { actor: person.email, action: 'source.create', target: `source ${id}`, details },
    ]);
  });

  it('are refused with the name of each field that is wrong', async () => {
    const content = { shop: 'mates', accessToken: 'x' };
    const { status, body } = await post('', { kind: 'shopify', isTest: false, content });
    expect([status, body]).toEqual([
      422,
      {
        message: expect.any(String),
        problems: [
          { field: 'shop', message: 'expected the name of the shop at Shopify, such as mates.myshopify.com' },
          { field: 'accessToken', message: 'Shopify has no such setting' },
        ],
      },
    ]);
    const unknown = await post('', { kind: 'magento', isTest: false, content: {} });
    expect(unknown.status).toBe(400);
    expect(await list()).toEqual([]);
  });

  it('whose other side makes the secret take it later, and believe nobody before', async () => {
    const { id, url, secret } = await create('shopify', { content: { shop: 'mates.myshopify.com' } });
    expect(secret).toBeNull();
    expect((await read(id)).secrets).toEqual([]);
    const headers = { 'x-shopify-topic': 'orders/paid', 'x-shopify-shop-domain': 'mates.myshopify.com' };
    const body = JSON.stringify({ id: 6123456789012, financial_status: 'pending', total_price: '1', currency: 'USD' });
    const hmac = (key: string) => createHmac('sha256', key).update(body).digest('base64');
    const sendWith = (key: string) =>
      sendToSource(console, { url, headers: { ...headers, 'x-shopify-hmac-sha256': hmac(key) }, body });
    expect([await sendWith(''), await sendWith('shpss_1')]).toEqual(['wrong-signature', 'wrong-signature']);
    const changed = sourceReply.parse((await post(`/${id}/change`, { content: { secret: 'shpss_1' } })).body);
    expect(changed).toMatchObject({ secrets: ['secret'], earlierUntil: null });
    expect(await sendWith('shpss_1')).toMatchObject({ events: 1 });
  });

  it('accept the secret before for one more day after a new one was made', async () => {
    const { id, url, secret: before } = await create('woocommerce');
    const { status, body } = await post(`/${id}/secret`);
    expect(status).toBe(200);
    const { secret, earlierUntil } = rotatedSourceReply.parse(body);
    expect(secret).not.toBe(before);
    const hours = (Date.parse(earlierUntil) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    const found = await read(id);
    expect(Date.parse(found.earlierUntil ?? '') / 60_000).toBeCloseTo(Date.parse(earlierUntil) / 60_000, 0);
    for (const [index, key] of [before ?? '', secret].entries()) {
      expect(await signed(key, url, { id: index, status: 'pending', total: '1', currency: 'USD' })).toMatchObject({
        events: 1,
      });
    }
    expect(await signed('another', url, { id: 9 })).toBe('wrong-signature');
    const refused = await post(`/${(await create('stripe')).id}/secret`);
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: 'the other side makes the secret of this source' },
    ]);
  });

  it('have an address that can be replaced, which works for one more day', async () => {
    const { id, url } = await create('postback');
    const { status, body } = await post(`/${id}/url`);
    const renewed = renewedUrlReply.parse(body);
    expect([status, (await read(id)).url]).toEqual([200, renewed.url]);
    expect((Date.parse(renewed.earlierUntil) - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
    for (const one of [url, renewed.url]) expect(await send(one, 'status=pending')).toMatchObject({ events: 1 });
    expect(await audited()).toContainEqual(
      expect.objectContaining({ action: 'source.change', details: { changed: ['url'] } }),
    );
  });

  it('are shown on every screen while somebody must act: refused, held, or paused while messages wait', async () => {
    const { pool } = console.database;
    const [held, refused, paused] = [
      await create('tiendanube', tiendanube),
      await create('woocommerce'),
      await create('postback'),
    ];
    await create('postback');
    await pool.query(`update source set state = 'needs_attention', state_reason = 'HTTP 401' where id = $1`, [held.id]);
    await pool.query('update source set refused_count = 7, refused_since = now(), refused_at = now() where id = $1', [
      refused.id,
    ]);
    await post(`/${paused.id}/pause`);
    await send(paused.url, 'status=pending');
    const { sources } = attentionReply.parse((await person.get(`/api/accounts/${account.id}/attention`)).body);
    expect(sources).toMatchObject([
      { id: held.id, title: 'Tiendanube', trouble: 'needs_attention', reason: 'HTTP 401' },
      { id: refused.id, title: 'WooCommerce', trouble: 'refused', refused: 7, reason: null },
      { id: paused.id, trouble: 'paused', waiting: 1 },
    ]);
    await post(`/${held.id}/change`, { content: { accessToken: 'another' } });
    await post(`/${refused.id}/secret`);
    await post(`/${paused.id}/resume`);
    expect((await person.get(`/api/accounts/${account.id}/attention`)).body).toMatchObject({ sources: [] });
  });

  it('list what came with its reason, page by page, and the share of sales that have a click', async () => {
    const { id, url } = await create('postback');
    const reference = await click();
    await send(url, `ref=${reference}&order=A1&amount=10&currency=USD&status=sale`);
    await send(url, 'order=A2&amount=10&currency=USD&status=sale');
    await send(url, 'order=A3&status=pending');
    await send(url, 'order=A4&status=sale&amount=much');
    const { items, next } = await events(id);
    expect(next).toBeNull();
    expect(items.map(({ order, outcome, reason, message }) => [order, outcome, reason?.es, message])).toEqual([
      [null, 'failed', 'Falta un campo o es incorrecto.', 'amount: the parameter is missing, or is no amount'],
      ['A3', 'ignored', 'El pedido no está pagado. Cuenta cuando lo esté.', null],
      [
        'A2',
        'without-click',
        'Ningún clic llevó a esta venta: no tiene referencia de lead ni id de clic, y el comprador no es cliente tuyo.',
        null,
      ],
      ['A1', 'sale', undefined, null],
    ]);
    expect(items.map(({ conversionId }) => conversionId !== null)).toEqual([false, false, false, true]);
    const first = await events(id, '?limit=3');
    expect(first.items).toEqual(items.slice(0, 3));
    expect((await events(id, `?limit=3&before=${first.next}`)).items).toEqual(items.slice(3));
    expect(await list()).toMatchObject([
      { received: 4, sales: 1, withoutClick: 1, ignored: 1, failed: 1, shareWithClick: 0.5 },
    ]);
  });

  it('keep what comes while they are paused, and work on it once they are resumed', async () => {
    const { id, url } = await create('postback');
    expect(switchedSourceReply.parse((await post(`/${id}/pause`)).body)).toEqual({ waiting: 0 });
    await send(url, 'order=A1&amount=10&currency=USD&status=sale');
    expect(await list()).toMatchObject([{ state: 'paused', received: 1, waiting: 1 }]);
    expect(switchedSourceReply.parse((await post(`/${id}/resume`)).body)).toEqual({ waiting: 1 });
    await send(url, 'order=A2&status=pending');
    expect(await list()).toMatchObject([{ state: 'active', waiting: 0, withoutClick: 1 }]);
  });

  it('work again on what came to nothing, once its cause is gone', async () => {
    const { id, url } = await create('postback');
    await send(url, `ref=${await click()}&order=A1&amount=10&currency=BRL`);
    expect((await events(id)).items).toMatchObject([
      { outcome: 'failed', reason: { en: expect.stringContaining('The account takes no sales in this currency.') } },
    ]);
    await console.database.pool.query(`update account set currencies = '{USD,BRL}' where id = $1`, [account.id]);
    expect(replayedReply.parse((await post(`/${id}/replay`)).body)).toEqual({ events: 1 });
    await send(url, 'order=A2&status=pending');
    expect((await events(id)).items).toMatchObject([{ outcome: 'ignored' }, { order: 'A1', outcome: 'sale' }]);
  });

  it('that are deleted are gone with their address, and their sales stay', async () => {
    const { id, url } = await create('postback');
    await send(url, `ref=${await click()}&order=A1&amount=10&currency=USD`);
    expect((await post(`/${id}/delete`)).body).toEqual({ id });
    expect(await list()).toEqual([]);
    expect((await person.get(path(`/${id}`))).status).toBe(404);
    expect(await send(url, 'order=A2&amount=10')).toBe('unknown');
    const { rows } = await console.database.pool.query(
      'select external_reference from conversion where account_id = $1',
      [account.id],
    );
    expect(rows).toEqual([{ external_reference: 'A1' }]);
  });

  it('show the fields of the newest message without naming its person, and read by the paths that were chosen', async () => {
    const secret = 'signs-messages';
    const { id, url } = await create('webhook', {
      content: { signature: 'hmac', header: 'X-Signature', secret },
    });
    const none = sourceSampleReply.parse((await person.get(path(`/${id}/sample`))).body);
    expect(none).toEqual({ at: null, fields: [] });
    const sendOrder = (order: string) => {
      const body = JSON.stringify({
        kind: 'order.paid',
        order: { ref: order, sum: '15.400,50', money: 'ARS', lines: [{ sku: 'M-1' }, {}, { sku: 'M-3' }] },
        buyer: { mail: 'ana@example.com', phone: '+54 9 11 5555 0101', name: 'Ana Pérez', lead: 'none' },
      });
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      return sendToSource(console, {
        url,
        headers: { 'content-type': 'application/json', 'x-signature': signature },
        body,
      });
    };
    await sendOrder('A-1');
    const { text, body } = await person.get(path(`/${id}/sample`));
    expect(text).not.toMatch(/ana@|5555|Pérez/);
    expect(sourceSampleReply.parse(body).fields).toEqual([
      { path: 'kind', value: 'o•••' },
      { path: 'order.ref', value: 'A-1' },
      { path: 'order.sum', value: '15.400,50' },
      { path: 'order.money', value: 'ARS' },
      { path: 'order.lines.0.sku', value: 'M-1' },
      { path: 'buyer.mail', value: 'a•••' },
      { path: 'buyer.phone', value: '+•••' },
      { path: 'buyer.name', value: 'A•••' },
      { path: 'buyer.lead', value: 'n•••' },
    ]);
    const map = { conversionExternalReference: 'order.ref', amount: 'order.sum', currency: 'order.money' };
    const wrong = await post(`/${id}/change`, { content: { map: { ...map, amount: '' } } });
    expect(wrong.body).toMatchObject({ problems: [{ field: 'map.amount' }] });
    expect((await post(`/${id}/change`, { content: { map } })).body).toMatchObject({ map });
    await sendOrder('A-2');
    expect((await events(id)).items[0]).toMatchObject({ order: 'A-2', outcome: 'without-click' });
  });

  it('hide the URL from those who may only read, and from those who may not see personal data who ordered', async () => {
    const { id, url } = await create('postback');
    await send(url, 'order=%2B5491155550101&amount=10&currency=USD');
    const reader = await console.person({ role: 'marketer', accounts: [account.id] });
    const { text, body } = await reader.get(path(`/${id}`));
    expect(sourceReply.parse(body).url).toBeNull();
    expect(text).not.toContain(url.slice(-32));
    const seen = await reader.get(path(`/${id}/events`));
    expect(sourceEventsReply.parse(seen.body).items).toMatchObject([{ order: '+5•••01' }]);
    expect((await reader.get(path(`/${id}/sample`))).status).toBe(403);
  });
});
