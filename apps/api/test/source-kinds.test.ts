import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { changeSource } from '@leadback/core/sources/sources';
import { eventually, givenAccount, givenServer, secretsKeys, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';
import {
  catchUpOnly,
  givenClick,
  givenSource,
  hmac,
  minutesAgoGmt,
  makeDue,
  saleOf,
  salesOf,
  sendWoo,
  type TestSource,
  wooOrder,
  workOff,
  workOnce,
} from './given-sources.ts';

describe('a generic webhook', async () => {
  const api = await shared(givenApi());

  /** Sends as Standard Webhooks say. */
  const send = (
    source: TestSource,
    message: unknown,
    { id = unique('msg'), at = Date.now(), secret = source.secret ?? '' } = {},
  ) => {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const time = String(Math.floor(at / 1000));
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
    return api.send('POST', source.url, {
      body,
      headers: { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1a,x v1,AAAA v1,${signature}` },
    });
  };

  it('reads the fields that a map names, and takes a sale back', async () => {
    const map = {
      conversionExternalReference: 'data.order.id',
      amount: 'data.total',
      currency: '=ARS',
      email: 'data.buyer.email',
      occurredAt: 'data.paid_at',
      when: { path: 'type', is: ['order.paid'] },
      retractWhen: { path: 'type', is: ['order.refunded'] },
    };
    const source = await givenSource(api, { kind: 'webhook', content: { map } });
    const lead = await givenClick(api, source.account);
    const data = { order: { id: '900719925474099312' }, total: '15.400,50', buyer: { email: 'ana@x.example' } };
    const paidAt = new Date(Date.now() - 3_600_000).toISOString();
    const body = JSON.stringify({ type: 'order.paid', data: { ...data, paid_at: paidAt, note: `ref ${lead}` } });
    // an id beyond 2^53, as a number
    await send(source, body.replace('"900719925474099312"', '900719925474099312'));
    await send(source, { type: 'order.created', data });
    await workOff(api);
    const found = await saleOf(api, source.account, '900719925474099312');
    expect(found?.sale).toMatchObject({ amount: '15400.50', occurredAt: new Date(paidAt) });
    await send(source, { type: 'order.refunded', data });
    await workOff(api);
    expect((await saleOf(api, source.account, '900719925474099312'))?.totals).toEqual(['retract 0.00']);
    expect(await source.outcomes()).toEqual(['sale', 'ignored', 'adjusted']);
  });

  it('finds our names without a map, and each element of a list by itself', async () => {
    const source = await givenSource(api, { kind: 'webhook' });
    const leadReference = await givenClick(api, source.account);
    const sale = { amount: 10, currency: 'USD', leadReference };
    await send(source, [{ ...sale, orderId: 'A-1' }, { orderId: 'A-2' }, { data: { ...sale, order_id: 'A-3' } }]);
    await workOff(api);
    expect(await source.events()).toMatchObject([
      { order: 'A-1', outcome: 'sale' },
      { outcome: 'failed', reason: 'fields-wrong', message: expect.stringContaining('amount') },
      { order: 'A-3', outcome: 'sale' },
    ]);
  });

  it('refuses messages that are older than five minutes, or from as far ahead, and repeats none', async () => {
    const source = await givenSource(api, { kind: 'webhook' });
    const message = { amount: 1, currency: 'USD', orderId: 'B-1' };
    const minutes = 60_000;
    for (const off of [-6, 6]) {
      expect((await send(source, message, { at: Date.now() + off * minutes })).status).toBe(401);
    }
    const id = unique('msg');
    for (const off of [-4, 4])
      expect((await send(source, message, { id, at: Date.now() + off * minutes })).status).toBe(200);
    await workOff(api);
    expect(await source.sorted()).toEqual(['repeated', 'without-click']);
  });

  it('lets a refund that comes before its sale wait for it', async () => {
    const source = await givenSource(api, { kind: 'webhook' });
    const leadReference = await givenClick(api, source.account);
    await send(source, { type: 'order.refunded', data: { orderId: 'C-1' } });
    await workOff(api);
    expect(await source.outcomes()).toEqual([null]);
    await send(source, { type: 'order.paid', data: { orderId: 'C-1', amount: 5, currency: 'USD', leadReference } });
    await workOff(api);
    expect(await source.outcomes()).toEqual(['adjusted', 'sale']);
    expect((await saleOf(api, source.account, 'C-1'))?.totals).toEqual(['retract 0.00']);
  });

  it('comes to the same total, in whichever order its messages arrive', async () => {
    const map = {
      conversionExternalReference: 'order',
      amount: 'total',
      restateWhen: { path: 'type', is: ['order.restated'] },
    };
    const cases = [
      // new totals, with the time of each event
      ['order.paid', 'order.restated', timed, '60.00'],
      ['order.paid', 'order.paid', timed, '60.00'],
      // without a time, the lowest one: most totals change by a refund
      ['order.paid', 'order.paid', () => ({}), '60.00'],
    ] as const;
    for (const [first, later, timeOf, left] of cases) {
      for (const isReversed of [false, true]) {
        const source = await givenSource(api, { kind: 'webhook', content: { map } });
        const sale = { order: 'R-1', leadReference: await givenClick(api, source.account) };
        const messages = [
          { type: first, ...sale, total: 100, ...timeOf(9) },
          { type: later, ...sale, total: 80, ...timeOf(5) },
          { type: later, ...sale, total: 60, ...timeOf(2) },
        ];
        for (const message of isReversed ? messages.toReversed() : messages) {
          await send(source, message);
          await workOff(api);
        }
        const found = await saleOf(api, source.account, 'R-1');
        expect(found?.totals.at(-1) ?? `registered ${found?.sale.amount}`).toMatch(new RegExp(` ${left}$`));
      }
    }
  });

  it('is nothing if an order is cancelled that was never paid, at once if its source said so, and else after three days', async () => {
    const source = await givenSource(api, { kind: 'webhook' });
    const order = { orderId: 'N-1', amount: 5, currency: 'USD', leadReference: await givenClick(api, source.account) };
    await send(source, { type: 'order.created', ...timed(9), data: order });
    await send(source, { type: 'order.cancelled', ...timed(1), data: order });
    await workOff(api);
    expect(await source.events()).toMatchObject([{ reason: 'not-paid' }, { outcome: 'ignored', reason: 'never-paid' }]);
    // the message that it was paid was late
    await send(source, { type: 'order.paid', ...timed(5), data: order });
    await workOff(api);
    expect((await saleOf(api, source.account, 'N-1'))?.totals).toEqual(['retract 0.00']);
    const other = await givenSource(api, { kind: 'webhook' });
    await send(other, { type: 'order.cancelled', data: { orderId: 'N-2' } });
    await workOff(api);
    expect(await other.outcomes()).toEqual([null]);
    await api.database.pool.query(
      `update source_event set received_at = now() - interval '73 hours', due_at = now() where source_id = $1`,
      [other.id],
    );
    await workOff(api);
    expect(await other.events()).toMatchObject([{ outcome: 'ignored', reason: 'no-sale' }]);
  });

  it('takes an HMAC in a header, and the body of a form', async () => {
    const content = { signature: 'hmac', header: 'X-Signature', prefix: 'sha256=', encoding: 'hex', secret: 'geheim' };
    const source = await givenSource(api, { kind: 'webhook', content });
    const lead = await givenClick(api, source.account);
    const body = `order[id]=7&order[ref]=${lead}&amount=1.234%2C50&currency=USD&reference=7`;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-signature': `sha256=${hmac('geheim', body, 'hex')}`,
    };
    expect((await api.send('POST', source.url, { body, headers })).status).toBe(200);
    expect((await api.send('POST', source.url, { body: `${body}1`, headers })).status).toBe(401);
    await workOff(api);
    expect((await saleOf(api, source.account, '7'))?.sale).toMatchObject({ amount: '1234.50' });
  });

  it('tells repeats by the body where an HMAC covers nothing else, whatever a header calls the message', async () => {
    const content = { signature: 'hmac', header: 'X-Signature', secret: 'geheim' };
    const source = await givenSource(api, { kind: 'webhook', content });
    const leadReference = await givenClick(api, source.account);
    for (const conversionExternalReference of ['one', 'other', 'other']) {
      const body = JSON.stringify({ conversionExternalReference, amount: 5, currency: 'USD', leadReference });
      const headers = { 'webhook-id': 'subscription-1', 'x-signature': hmac('geheim', body, 'hex') };
      expect((await api.send('POST', source.url, { body, headers })).status).toBe(200);
    }
    await workOff(api);
    expect(await salesOf(api, source.account)).toBe(2);
  });

  it('refuses a list of more messages than it can keep apart, so that its sender sends fewer', async () => {
    const source = await givenSource(api, { kind: 'webhook' });
    expect(
      (
        await send(
          source,
          Array.from({ length: 1_001 }, () => ({})),
        )
      ).status,
    ).toBe(413);
    expect(await source.events()).toEqual([]);
  });

  it('counts no order of a second shop under the number of another one, and says so', async () => {
    const one = await givenSource(api, { kind: 'webhook' });
    const other = await givenSource(api, { kind: 'webhook', account: one.account });
    const leadReference = await givenClick(api, one.account);
    const order = { conversionExternalReference: '#1001', currency: 'USD', leadReference };
    await send(one, { ...order, amount: 10 });
    await workOff(api);
    await send(other, { ...order, amount: 7 });
    await workOff(api);
    expect(await other.events()).toMatchObject([{ outcome: 'failed', reason: 'other-source' }]);
    expect(await saleOf(api, one.account, '#1001')).toMatchObject({ sale: { amount: '10.00' }, totals: [] });
  });

  it('keeps what cannot be read, and says so', async () => {
    const source = await givenSource(api, { kind: 'webhook' });
    const nested = `[${'['.repeat(100_000)}${']'.repeat(100_000)}]`;
    for (const body of ['{"half', '', '\u0000', '[]', '{"__proto__": {"amount": 1}}', 'null', nested]) {
      expect((await send(source, body)).status).toBe(200);
    }
    await workOff(api);
    const outcomes = await source.outcomes();
    expect(outcomes.every((outcome) => outcome === 'failed')).toBe(true);
  });

  it('makes tests of a source for tests', async () => {
    const source = await givenSource(api, { kind: 'webhook', isTest: true });
    const leadReference = await givenClick(api, source.account);
    await send(source, { orderId: 'T-1', amount: 5, currency: 'USD', leadReference });
    await workOff(api);
    expect(await saleOf(api, source.account, 'T-1')).toBeUndefined();
    expect((await saleOf(api, source.account, 'T-1', true))?.sale).toMatchObject({ isTest: true });
  });
});

describe('a postback', async () => {
  const api = await shared(givenApi());
  const call = (source: TestSource, query: string, method = 'GET') => api.send(method, `${source.url}?${query}`);

  it('registers a sale of the click that a tracker reports, once for each transaction, and takes it back', async () => {
    const source = await givenSource(api, { kind: 'postback' });
    const ref = await givenClick(api, source.account);
    expect(source.secret).toBeUndefined();
    const sale = `ref=${ref}&order=O-1&amount=12.50&currency=USD&status=approved`;
    for (const query of [sale, sale, `clickid=${ref}&txid=O-2&payout=3&currency=USD`]) {
      const reply = await call(source, query);
      expect([reply.status, reply.body]).toEqual([200, { ok: true }]);
    }
    await call(source, `ref=${ref}&order=O-3&amount=1&currency=USD&status=pending`);
    await workOff(api);
    expect(await salesOf(api, source.account)).toBe(2);
    await call(source, `ref=${ref}&order=O-1&status=rejected`);
    await workOff(api);
    expect((await saleOf(api, source.account, 'O-1'))?.totals).toEqual(['retract 0.00']);
    expect(await source.sorted()).toEqual(['adjusted', 'ignored', 'repeated', 'sale', 'sale']);
  });

  it('is nothing at once if a conversion is rejected that was only pending', async () => {
    const source = await givenSource(api, { kind: 'postback' });
    const ref = await givenClick(api, source.account);
    for (const status of ['pending', 'rejected']) await call(source, `ref=${ref}&order=O-9&amount=1&status=${status}`);
    await workOff(api);
    expect(await source.events()).toMatchObject([{ reason: 'not-paid' }, { reason: 'never-paid' }]);
  });

  it('is a sale if a network approves after a review what it had rejected', async () => {
    const source = await givenSource(api, { kind: 'postback' });
    const ref = await givenClick(api, source.account);
    for (const status of ['pending', 'rejected', 'approved']) {
      await call(source, `ref=${ref}&order=O-8&amount=1&currency=USD&status=${status}`);
      await workOff(api);
    }
    await workOff(api);
    expect((await saleOf(api, source.account, 'O-8'))?.totals).toEqual([]);
    expect(await source.events()).toMatchObject([
      { reason: 'not-paid' },
      { reason: 'never-paid' },
      { outcome: 'sale' },
    ]);
  });

  it('is no sale with HEAD, and none with placeholders that nobody has filled', async () => {
    const source = await givenSource(api, { kind: 'postback' });
    const ref = await givenClick(api, source.account);
    expect((await call(source, `ref=${ref}&order=H-1&amount=1&currency=USD`, 'HEAD')).status).toBe(200);
    await call(source, 'ref={subid}&order=H-2&amount=1&currency=USD');
    await call(source, `ref=${ref}&order={tid}&amount={payout}&currency=USD`);
    await workOff(api);
    expect(await source.events()).toMatchObject([
      { outcome: 'without-click' },
      { outcome: 'failed', message: expect.stringContaining('amount') },
    ]);
  });

  it('is for a kind that takes GET alone: the address of another one refuses it', async () => {
    const account = await givenAccount(api.database.em());
    const source = await givenSource(api, { kind: 'woocommerce', account });
    expect((await call(source, 'x=1')).status).toBe(405);
  });
});

/** An API of a shop that answers what the test says, by path. */
const givenShopApi = async () => {
  const objects = new Map<string, unknown>();
  const asked: { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[] = [];
  let status = 200;
  let answered: Readonly<Record<string, string>> = {};
  const server = await givenServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, headers: request.headers });
    const { pathname, searchParams } = new URL(path, server.url);
    const object = objects.get(path) ?? objects.get(`${pathname} page ${searchParams.get('page')}`);
    const code = status === 200 && object === undefined ? 404 : status;
    response
      .writeHead(code, { 'content-type': 'application/json', ...answered })
      .end(JSON.stringify(object ?? { message: 'no' }));
  });
  return {
    url: server.url,
    asked,
    set: (path: string, object: unknown) => objects.set(path, object),
    answer: (code: number, headers: Readonly<Record<string, string>> = {}) => {
      status = code;
      answered = headers;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const timed = (minutes: number) => ({ timestamp: ago(minutes) });

describe('a WooCommerce shop with a key of its REST API', async () => {
  const api = await shared(givenApi());
  const keys = { consumerKey: 'ck_1', consumerSecret: 'cs_2' };
  const loopback = { WEBHOOKS_ALLOW_LOOPBACK: true };

  it('is asked once an hour for the orders that no webhook has told, which count once', async () => {
    await using shop = await givenShopApi();
    const source = await givenSource(api, { kind: 'woocommerce', content: { shop: `${shop.url}/blog/`, ...keys } });
    const lead = await givenClick(api, source.account);
    const landingUrl = `https://shop.example/p?serviceId=${lead}`;
    const order = wooOrder({ landingUrl, modifiedAt: minutesAgoGmt(3) });
    const old = wooOrder({ landingUrl, modifiedAt: minutesAgoGmt(60) });
    // a version that does not know modified_after
    shop.set('/blog/wp-json/wc/v3/orders page 1', [old, order]);
    shop.set('/blog/wp-json/wc/v3/orders page 2', []);
    await catchUpOnly(api, source, loopback);
    expect(await source.events()).toMatchObject([{ event: 'order.listed', order: String(order.id), outcome: 'sale' }]);
    const [asked] = shop.asked;
    expect(asked?.headers).toMatchObject({ authorization: `Basic ${Buffer.from('ck_1:cs_2').toString('base64')}` });
    const { createdAt } = await source.counts();
    expect(asked?.path).toContain(`modified_after=${encodeURIComponent(createdAt.toISOString().slice(0, 19))}`);
    // its webhook comes late, and tells the same
    await sendWoo(api, source, order);
    await workOff(api);
    expect(await source.outcomes()).toEqual(['sale', 'repeated']);
    shop.answer(401);
    await catchUpOnly(api, source, loopback);
    expect(await source.counts()).toMatchObject({
      state: 'needs_attention',
      stateReason: expect.stringContaining('401'),
    });
  });

  it('sends its key to no other address than the one for which it was typed', async () => {
    const source = await givenSource(api, { kind: 'woocommerce', content: { shop: 'https://shop.example', ...keys } });
    const change = (content: object) =>
      changeSource(api.database.pool, secretsKeys, { actor: 'test', id: source.id, content: { ...content } });
    await expect(change({ shop: 'https://evil.example' })).rejects.toThrow(
      'enter consumerKey and consumerSecret again',
    );
    await expect(change({ shop: 'https://shop.example' })).resolves.toMatchObject({ id: source.id });
    await expect(change({ shop: 'https://www.shop.example', ...keys })).resolves.toMatchObject({ id: source.id });
  });

  it('is asked only at public addresses: nobody reaches what is inside by the address of a shop', async () => {
    await using shop = await givenShopApi();
    const source = await givenSource(api, { kind: 'woocommerce', content: { shop: shop.url, ...keys } });
    await catchUpOnly(api, source, {});
    const inside = await givenSource(api, {
      kind: 'woocommerce',
      content: { shop: 'https://169.254.169.254', ...keys },
    });
    await catchUpOnly(api, inside, loopback);
    expect(shop.asked).toEqual([]);
    expect(await source.counts()).toMatchObject({ state: 'active', received: 0 });
  });
});

const tiendanubeNote = (event: string) => ({ store_id: 123, event, id: 871254203 });
const tiendanubeTime = (minutes: number) => ago(minutes).replace(/\.\d+Z$/, '+0000');
const tiendanubeOrder = (lead: string, change: object = {}) => ({
  id: 871254203,
  number: 1093,
  store_id: '123',
  currency: 'ARS',
  total: '15400.50',
  status: 'open',
  payment_status: 'paid',
  paid_at: tiendanubeTime(20),
  updated_at: tiendanubeTime(19),
  storefront: 'store',
  customer: { id: 55, name: 'Ana', email: 'ana@x.example', phone: '+5491155550101' },
  landing_url: `https://shop.example/?serviceId=${lead}`,
  ...change,
});

describe('a Tiendanube store', async () => {
  const api = await shared(givenApi());
  const content = { store: '123', secret: 'of the app', accessToken: 'token-of-store' };
  const path = '/v1/123/orders/871254203';

  const send = (source: TestSource, message: object, secret = content.secret) => {
    const body = JSON.stringify(message);
    return api.send('POST', source.url, { body, headers: { 'x-linkedstore-hmac-sha256': hmac(secret, body, 'hex') } });
  };

  it('fetches the order that a message names with the token of the store, and takes it back once it is cancelled', async () => {
    await using shop = await givenShopApi();
    const settings = { TIENDANUBE_API_URL: shop.url };
    const source = await givenSource(api, { kind: 'tiendanube', content });
    const lead = await givenClick(api, source.account);
    shop.set(path, tiendanubeOrder(lead));
    expect((await send(source, tiendanubeNote('order/paid'), 'another')).status).toBe(401);
    expect((await send(source, tiendanubeNote('order/paid'))).status).toBe(200);
    await workOff(api, settings);
    expect((await saleOf(api, source.account, '871254203'))?.sale).toMatchObject({
      amount: '15400.50',
      currency: 'ARS',
    });
    expect(shop.asked).toMatchObject([{ path, headers: { authentication: 'bearer token-of-store' } }]);
    shop.set(path, tiendanubeOrder(lead, { status: 'cancelled', updated_at: tiendanubeTime(2) }));
    await send(source, tiendanubeNote('order/cancelled'));
    await workOff(api, settings);
    expect((await saleOf(api, source.account, '871254203'))?.totals).toEqual(['retract 0.00']);
    expect(await source.outcomes()).toEqual(['sale', 'adjusted']);
  });

  it('restates a sale by what its transactions say was given back, and says so where they do not', async () => {
    await using shop = await givenShopApi();
    const settings = { TIENDANUBE_API_URL: shop.url };
    const source = await givenSource(api, { kind: 'tiendanube', content });
    const lead = await givenClick(api, source.account);
    shop.set(path, tiendanubeOrder(lead));
    await send(source, tiendanubeNote('order/paid'));
    await workOff(api, settings);
    shop.set(path, tiendanubeOrder(lead, { payment_status: 'partially_refunded', updated_at: tiendanubeTime(2) }));
    await send(source, tiendanubeNote('order/updated'));
    await workOff(api, settings);
    expect(await source.events()).toMatchObject([
      { outcome: 'sale' },
      { outcome: 'failed', reason: 'fields-wrong', message: expect.stringContaining('refunded_amount') },
    ]);
    const amounts = ['400.00', '0.50'].map((value) => ({ refunded_amount: { value, currency: 'ARS' } }));
    shop.set(`${path}/transactions`, amounts);
    await send(source, tiendanubeNote('order/updated'));
    await workOff(api, settings);
    expect((await saleOf(api, source.account, '871254203'))?.totals).toEqual(['restate 15000.00']);
  });

  it('starts the erasure that a customer asks of the store, notes a question for data, and empties all once the app is gone', async () => {
    await using shop = await givenShopApi();
    const source = await givenSource(api, { kind: 'tiendanube', content });
    shop.set(path, tiendanubeOrder(await givenClick(api, source.account)));
    await send(source, tiendanubeNote('order/paid'));
    await workOff(api, { TIENDANUBE_API_URL: shop.url });
    const customer = { id: 55, email: 'ana@x.example', phone: null, identification: null };
    const asked = { orders_requested: [871254203], checkouts_requested: [], drafts_orders_requested: [] };
    await send(source, { store_id: 123, customer, ...asked, data_request: { id: 4 } });
    await workOff(api);
    await send(source, { store_id: 123, customer, orders_to_redact: [871254203] });
    await workOff(api);
    const { rows } = await api.database.pool.query('select asked_by, named_by from erasure where account_id = $1', [
      source.account.id,
    ]);
    expect(rows).toEqual([{ asked_by: 'partner', named_by: 'email' }]);
    await send(source, { store_id: 123 });
    await workOff(api);
    expect(await source.events()).toMatchObject([
      { outcome: 'sale' },
      { event: 'customers/data_request', outcome: 'ignored', reason: 'data-asked', message: 'orders: 871254203' },
      { event: 'customers/redact', outcome: 'ignored', reason: 'erasure-asked' },
      { event: 'store/redact', outcome: 'ignored', reason: 'store-erased' },
    ]);
    const kept = await api.database.pool.query(
      'select event from source_event where source_id = $1 and (content is not null or fetched is not null)',
      [source.id],
    );
    expect(kept.rows).toEqual([{ event: 'store/redact' }]);
    expect(await salesOf(api, source.account)).toBe(1);
  });

  it('tries again while the API of the store is down, and waits for another token once it refuses this one', async () => {
    await using shop = await givenShopApi();
    const settings = { TIENDANUBE_API_URL: shop.url };
    const source = await givenSource(api, { kind: 'tiendanube', content });
    shop.set(path, tiendanubeOrder(await givenClick(api, source.account)));
    shop.answer(503);
    await send(source, tiendanubeNote('order/paid'));
    await workOff(api, settings);
    expect(await source.outcomes()).toEqual([null]);
    shop.answer(401);
    await makeDue(api, source);
    await workOff(api, settings);
    expect(await source.counts()).toMatchObject({
      state: 'needs_attention',
      stateReason: expect.stringContaining('401'),
      waiting: 1,
    });
    shop.answer(200);
    await changeSource(api.database.pool, secretsKeys, {
      actor: 'test',
      id: source.id,
      content: { accessToken: 'new' },
    });
    await workOff(api, settings);
    expect(await source.outcomes()).toEqual(['sale']);
    expect(shop.asked.at(-1)).toMatchObject({ headers: { authentication: 'bearer new' } });
  });

  it('waits as long as the API of the store asks for, or longer after each failure, and follows it to no other host', async () => {
    await using shop = await givenShopApi();
    await using other = await givenShopApi();
    const settings = { TIENDANUBE_API_URL: shop.url };
    const source = await givenSource(api, { kind: 'tiendanube', content });
    await send(source, tiendanubeNote('order/paid'));
    const waits: number[] = [];
    const answers = [
      [503, {}],
      [503, {}],
      [429, { 'retry-after': '120' }],
      [302, { location: `${other.url}${path}` }],
    ] as const;
    for (const [status, headers] of answers) {
      shop.answer(status, headers);
      await makeDue(api, source);
      await workOff(api, settings);
      const { rows } = await api.database.pool.query(
        'select extract(epoch from due_at - now())::int as wait from source_event where source_id = $1',
        [source.id],
      );
      waits.push(...rows.map(({ wait }: { wait: number }) => wait));
    }
    const [first = 0, second = 0, third = 0] = waits;
    expect([first > 2 && first <= 5, second > first, third > 110 && third <= 120]).toEqual([true, true, true]);
    expect([await source.outcomes(), other.asked]).toEqual([[null], []]);
  });

  it('asks once an hour for the orders that no message has told, and not for those of before', async () => {
    await using shop = await givenShopApi();
    const settings = { TIENDANUBE_API_URL: shop.url };
    const source = await givenSource(api, { kind: 'tiendanube', content });
    const lead = await givenClick(api, source.account);
    const order = tiendanubeOrder(lead);
    const missed = tiendanubeOrder(lead, { id: 871254204, updated_at: tiendanubeTime(3) });
    shop.set(path, order);
    shop.set('/v1/123/orders/871254204', missed);
    shop.set('/v1/123/orders page 1', [order, missed]);
    await send(source, tiendanubeNote('order/paid'));
    await workOff(api, settings);
    expect(await salesOf(api, source.account)).toBe(1);
    for (const status of [503, 200, 200]) {
      shop.answer(status);
      await catchUpOnly(api, source, settings);
    }
    expect(await source.outcomes()).toEqual(['sale', 'sale']);
    expect((await saleOf(api, source.account, '871254204'))?.sale).toMatchObject({ amount: '15400.50' });
    const asked = shop.asked.filter((one) => one.path.includes('updated_at_min'));
    expect(asked.map((one) => new URL(one.path, shop.url).searchParams.get('page'))).toEqual(['1', '1', '2', '1', '2']);
    const { createdAt } = await source.counts();
    expect(asked.map((one) => new URL(one.path, shop.url).searchParams.get('updated_at_min'))).toEqual(
      asked.map(() => createdAt.toISOString()),
    );
    expect(asked[0]?.headers).toMatchObject({ authentication: 'bearer token-of-store' });
  });

  it('asks for nothing that a message of another store names, nor for a path in place of an id', async () => {
    await using shop = await givenShopApi();
    const source = await givenSource(api, { kind: 'tiendanube', content });
    await send(source, { ...tiendanubeNote('order/paid'), store_id: 124 });
    await send(source, { ...tiendanubeNote('order/paid'), id: '../../../v1/123/customers' });
    await workOff(api, { TIENDANUBE_API_URL: shop.url });
    expect([await source.outcomes(), shop.asked]).toEqual([['ignored', 'ignored'], []]);
  });

  it('passes on that a customer asks to be erased', async () => {
    const source = await givenSource(api, { kind: 'tiendanube', content });
    const customer = { id: 1, email: 'ana@x.example', phone: '+5491155550101' };
    await send(source, { store_id: 123, customer, orders_to_redact: [871254203] });
    await workOff(api);
    expect(await source.events()).toMatchObject([{ event: 'customers/redact', reason: 'erasure-asked' }]);
    const { rows } = await api.database.pool.query('select asked_by, named_by from erasure where account_id = $1', [
      source.account.id,
    ]);
    expect(rows).toEqual([{ asked_by: 'partner', named_by: 'email' }]);
  });
});

describe('a seller at Mercado Pago', async () => {
  const api = await shared(givenApi());
  const content = { secret: 'of the webhooks', accessToken: 'APP_USR-1' };
  const id = '102938475601';

  const sign = (of: string, requestId: string, time = String(Date.now())) =>
    `ts=${time},v1=${hmac(content.secret, `id:${of};request-id:${requestId};ts:${time};`, 'hex')}`;
  const send = (source: TestSource, { of = id, type = 'payment', signature = sign(of, 'r-1') } = {}) =>
    api.send('POST', `${source.url}?data.id=${of}&type=${type}`, {
      body: { action: 'payment.updated', data: { id: of }, live_mode: true, type, user_id: 2025701502 },
      headers: { 'x-request-id': 'r-1', 'x-signature': signature },
    });
  const payment = (lead: string, change: object = {}) => ({
    id: Number(id),
    status: 'approved',
    status_detail: 'accredited',
    transaction_amount: 15400.5,
    transaction_amount_refunded: 0,
    currency_id: 'ARS',
    date_approved: ago(20).replace('Z', '-00:00'),
    date_last_updated: ago(19).replace('Z', '-00:00'),
    external_reference: lead,
    payer: { email: 'ana@x.example', phone: { area_code: '11', number: '55550101' } },
    live_mode: true,
    ...change,
  });

  it('brings the payment that is fetched, restates it by what was refunded, and takes it back', async () => {
    await using shop = await givenShopApi();
    const settings = { MERCADOPAGO_API_URL: shop.url };
    const source = await givenSource(api, { kind: 'mercadopago', content });
    const lead = await givenClick(api, source.account);
    const changes = [
      {},
      { transaction_amount_refunded: 400.5, date_last_updated: ago(9) },
      { status: 'refunded', transaction_amount_refunded: 15400.5, date_last_updated: ago(2) },
    ];
    for (const change of changes) {
      shop.set(`/v1/payments/${id}`, payment(lead, change));
      expect((await send(source)).status).toBe(200);
      await workOff(api, settings);
    }
    const found = await saleOf(api, source.account, id);
    expect(found).toMatchObject({ sale: { amount: '15400.50' }, totals: ['restate 15000.00', 'retract 0.00'] });
    expect(shop.asked[0]?.headers).toMatchObject({ authorization: 'Bearer APP_USR-1' });
  });

  it('waits for a payment that the API does not show yet, and finds that of an order of payments', async () => {
    await using shop = await givenShopApi();
    const settings = { MERCADOPAGO_API_URL: shop.url };
    const source = await givenSource(api, { kind: 'mercadopago', content });
    await send(source, { type: 'topic_merchant_order_wh', of: '77' });
    await workOff(api, settings);
    expect(await source.outcomes()).toEqual([null]);
    shop.set('/merchant_orders/77', { id: 77, payments: [{ id: Number(id), status: 'approved' }] });
    shop.set(`/v1/payments/${id}`, payment(await givenClick(api, source.account)));
    await makeDue(api, source);
    await workOff(api, settings);
    expect((await saleOf(api, source.account, id))?.sale).toMatchObject({ amount: '15400.50' });
  });

  it('brings an order of the newer API in the currency of its country, and restates it by its refunds', async () => {
    await using shop = await givenShopApi();
    const settings = { MERCADOPAGO_API_URL: shop.url };
    const source = await givenSource(api, { kind: 'mercadopago', content });
    const lead = await givenClick(api, source.account);
    const of = 'ORD01J49MMW3SSBK5PSV3DFR32959';
    const order = {
      id: of,
      status: 'processed',
      total_amount: '15400.50',
      country_code: 'AR',
      external_reference: lead,
    };
    const payer = { email: 'ana@x.example' };
    const refunds = [
      { id: 'REF01', amount: '400.50', status: 'processed' },
      { id: 'REF02', amount: '9.00', status: 'failed' },
    ];
    for (const transactions of [{ payments: [] }, { payments: [], refunds }]) {
      shop.set(`/v1/orders/${of}`, { ...order, payer, transactions, created_date: ago(20), last_updated_date: ago(9) });
      await send(source, { of, type: 'order' });
      await workOff(api, settings);
    }
    const found = await saleOf(api, source.account, of);
    expect(found).toMatchObject({ sale: { amount: '15400.50', currency: 'ARS' }, totals: ['restate 15000.00'] });
    // its payment is told as well: one sale
    shop.set(
      `/v1/payments/${id}`,
      payment(lead, { order: { id: of, type: 'mercadopago' }, date_last_updated: ago(8) }),
    );
    await send(source);
    await workOff(api, settings);
    expect(await salesOf(api, source.account)).toBe(1);
    // the payment of a part, of which the order tells the total
    shop.set(
      `/v1/payments/${id}`,
      payment(lead, { order: { id: of }, transaction_amount: 400, date_last_updated: ago(1) }),
    );
    await send(source);
    await workOff(api, settings);
    expect((await saleOf(api, source.account, of))?.totals).toEqual(['restate 15000.00']);
  });

  it('asks once an hour for the payments that no note has told', async () => {
    await using shop = await givenShopApi();
    const settings = { MERCADOPAGO_API_URL: shop.url };
    const source = await givenSource(api, { kind: 'mercadopago', content });
    const lead = await givenClick(api, source.account);
    const missed = payment(lead, { date_last_updated: ago(3) });
    shop.set(`/v1/payments/${id}`, missed);
    const asked = () => shop.asked.filter(({ path }) => path.startsWith('/v1/payments/search'));
    const pages = new Map([['0', { results: [missed] }]]);
    for (const [offset, found] of [...pages, ['50', { results: [] }] as const]) {
      const { createdAt } = await source.counts();
      const range = `range=date_last_updated&begin_date=${encodeURIComponent(createdAt.toISOString())}&end_date=NOW`;
      shop.set(`/v1/payments/search?${range}&sort=date_last_updated&criteria=asc&limit=50&offset=${offset}`, found);
    }
    await catchUpOnly(api, source, settings);
    expect((await saleOf(api, source.account, id))?.sale).toMatchObject({ amount: '15400.50' });
    expect(asked().map(({ path }) => new URL(path, shop.url).searchParams.get('offset'))).toEqual(['0', '50']);
    await catchUpOnly(api, source, settings);
    expect(await source.outcomes()).toEqual(['sale']);
  });

  it('refuses a wrong signature, and takes one of the id in small letters', async () => {
    const source = await givenSource(api, { kind: 'mercadopago', content });
    expect((await send(source, { signature: sign('1', 'r-1') })).status).toBe(401);
    expect((await send(source, { of: 'ORD01ABC', type: 'order', signature: sign('ord01abc', 'r-1') })).status).toBe(
      200,
    );
    const unsigned = await api.send('POST', `${source.url}?data.id=${id}&type=payment`, { body: {} });
    expect(unsigned.status).toBe(401);
  });

  it('ignores what is not paid, and makes tests of what is none of the live mode', async () => {
    await using shop = await givenShopApi();
    const source = await givenSource(api, { kind: 'mercadopago', content });
    const lead = await givenClick(api, source.account);
    shop.set(`/v1/payments/${id}`, payment(lead, { status: 'pending', date_approved: null }));
    shop.set('/v1/payments/8', payment(lead, { id: 8, live_mode: false }));
    await send(source);
    await send(source, { of: '8' });
    await workOff(api, { MERCADOPAGO_API_URL: shop.url });
    expect(await source.events()).toMatchObject([{ outcome: 'ignored', reason: 'not-paid' }, { outcome: 'sale' }]);
    expect(await saleOf(api, source.account, '8')).toBeUndefined();
    expect((await saleOf(api, source.account, '8', true))?.sale).toMatchObject({ isTest: true });
  });
});

const shopifyOrder = (lead: string, change: object = {}) => ({
  id: '612345678901234567',
  name: '#1042',
  test: false,
  financial_status: 'paid',
  currency: 'USD',
  total_price: '15.40',
  current_total_price: '15.40',
  created_at: ago(30),
  processed_at: ago(29),
  updated_at: ago(28),
  email: 'ana@x.example',
  customer: { id: 1, phone: '+541155550101' },
  landing_site: `/products/mate?serviceId=${lead}`,
  note_attributes: [],
  refunds: [],
  ...change,
});
const shopifyRefund = (id: number, amount: string, minutes: number) => ({
  id,
  order_id: '612345678901234567',
  created_at: ago(minutes),
  transactions: [
    { id, kind: 'refund', status: 'success', amount },
    { id: id + 1, kind: 'refund', status: 'failure', amount: '9.99' },
  ],
});

const seconds = () => Math.floor(Date.now() / 1000);

describe('a Shopify shop', async () => {
  const api = await shared(givenApi());
  const content = { shop: 'mates.myshopify.com', secret: 'of the shop' };

  const send = (source: TestSource, topic: string, message: object, eventId = unique('event')) => {
    // as a number: its last digits are lost in one of JavaScript
    const body = JSON.stringify(message).replaceAll(/"(\d{18})"/g, '$1');
    return api.send('POST', source.url, {
      body,
      headers: {
        'x-shopify-topic': topic,
        'x-shopify-shop-domain': 'mates.myshopify.com',
        'x-shopify-event-id': eventId,
        'x-shopify-hmac-sha256': hmac(content.secret, body),
      },
    });
  };

  it('brings a paid order with all digits of its id, and restates it by each refund once', async () => {
    const source = await givenSource(api, { kind: 'shopify', content });
    const order = shopifyOrder(await givenClick(api, source.account));
    await send(source, 'orders/paid', order, 'one');
    await send(source, 'orders/paid', order, 'one');
    await workOff(api);
    const first = shopifyRefund(7, '5.00', 20);
    await send(source, 'refunds/create', first);
    await workOff(api);
    // the same refund, as another message tells it
    const updated = { financial_status: 'partially_refunded', updated_at: ago(19), refunds: [first] };
    await send(source, 'orders/updated', { ...order, ...updated });
    await workOff(api);
    await send(source, 'refunds/create', first);
    await workOff(api);
    // what was before it arrives late
    await send(source, 'orders/updated', { ...order, updated_at: ago(25) });
    await workOff(api);
    await send(source, 'refunds/create', shopifyRefund(9, '10.40', 10));
    await workOff(api);
    const found = await saleOf(api, source.account, '612345678901234567');
    expect(found).toMatchObject({ sale: { amount: '15.40' }, totals: ['restate 10.40', 'retract 0.00'] });
    expect(await source.sorted()).toEqual([
      'adjusted',
      'adjusted',
      'ignored',
      'ignored',
      'repeated',
      'repeated',
      'sale',
    ]);
  });

  it('subtracts two refunds one after the other, whichever processes work on them', async () => {
    const source = await givenSource(api, { kind: 'shopify', content });
    await send(source, 'orders/paid', shopifyOrder(await givenClick(api, source.account)));
    await workOff(api);
    const { pool } = api.database;
    const locking = await pool.connect();
    await locking.query('begin');
    await locking.query('lock table conversion_adjustment in share row exclusive mode');
    await send(source, 'refunds/create', shopifyRefund(7, '5.00', 20));
    const first = workOnce(api);
    await eventually(async () => {
      const { rows } = await pool.query(
        "select from pg_locks where not granted and relation = 'conversion_adjustment'::regclass",
      );
      expect(rows).toHaveLength(1);
    });
    await send(source, 'refunds/create', shopifyRefund(9, '4.00', 10));
    const second = workOnce(api);
    await Promise.race([second, pause(300)]);
    await locking.query('commit');
    locking.release();
    await Promise.all([first, second]);
    await workOff(api);
    expect((await saleOf(api, source.account, '612345678901234567'))?.totals).toEqual([
      'restate 10.40',
      'restate 6.40',
    ]);
  });

  it('makes a test of an order of the test gateway, and finds its refund there', async () => {
    const source = await givenSource(api, { kind: 'shopify', content });
    await send(source, 'orders/paid', shopifyOrder(await givenClick(api, source.account), { test: true }));
    await workOff(api);
    await send(source, 'refunds/create', shopifyRefund(7, '15.40', 5));
    await workOff(api);
    expect(await salesOf(api, source.account)).toBe(1);
    expect((await saleOf(api, source.account, '612345678901234567', true))?.totals).toEqual(['retract 0.00']);
  });

  it('counts no refund that is told in the currency of the buyer, and takes the total of the order', async () => {
    const source = await givenSource(api, { kind: 'shopify', content });
    const order = shopifyOrder(await givenClick(api, source.account));
    await send(source, 'orders/paid', order);
    const refund = shopifyRefund(7, '5000.00', 20);
    const inPesos = { ...refund, transactions: refund.transactions.map((one) => ({ ...one, currency: 'ARS' })) };
    await workOff(api);
    await send(source, 'refunds/create', inPesos);
    await workOff(api);
    const partly = { financial_status: 'partially_refunded', current_total_price: '10.40', updated_at: ago(19) };
    await send(source, 'orders/updated', { ...order, ...partly, refunds: [inPesos] });
    await workOff(api);
    expect((await saleOf(api, source.account, '612345678901234567'))?.totals).toEqual(['restate 10.40']);
    expect(await source.events()).toMatchObject([
      { outcome: 'sale' },
      { outcome: 'ignored', reason: 'other-currency' },
      { outcome: 'adjusted' },
    ]);
  });

  it('passes on what its customers ask, and empties what it sent once the app is gone', async () => {
    const source = await givenSource(api, { kind: 'shopify', content });
    await send(source, 'orders/paid', shopifyOrder(await givenClick(api, source.account)));
    await workOff(api);
    const of = { shop_id: 9, shop_domain: 'mates.myshopify.com' };
    const customer = { id: 1, email: 'ana@x.example', phone: null };
    await send(source, 'customers/data_request', { ...of, customer, orders_requested: ['612345678901234567'] });
    await send(source, 'customers/redact', { ...of, customer, orders_to_redact: ['612345678901234567'] });
    const nameless = { ...of, customer: { id: 2, phone: '+5411' }, orders_to_redact: [7, 8] };
    await workOff(api);
    await send(source, 'customers/redact', nameless);
    await workOff(api);
    await send(source, 'shop/redact', of);
    await workOff(api);
    const reasons = (await source.events()).map(({ event, reason, message }) => [event, reason, message]);
    expect(reasons).toEqual([
      ['orders/paid', null, null],
      ['customers/data_request', 'data-asked', 'orders: 612345678901234567'],
      ['customers/redact', 'erasure-asked', null],
      ['customers/redact', 'erase-by-hand', 'orders: 7, 8'],
      ['shop/redact', 'store-erased', null],
    ]);
    const { rows } = await api.database.pool.query('select named_by from erasure where account_id = $1', [
      source.account.id,
    ]);
    expect(rows).toEqual([{ named_by: 'email' }]);
    const kept = await api.database.pool.query(
      'select event from source_event where source_id = $1 and content is not null',
      [source.id],
    );
    expect(kept.rows).toEqual([{ event: 'shop/redact' }]);
  });

  it('erases nobody for an order that is sent again as if it were a privacy webhook, and no live person for a source of tests', async () => {
    const source = await givenSource(api, { kind: 'shopify', content });
    const order = shopifyOrder(await givenClick(api, source.account));
    for (const topic of ['customers/redact', 'shop/redact']) await send(source, topic, order);
    await workOff(api);
    expect(await source.outcomes()).toEqual(['failed', 'failed']);
    const test = await givenSource(api, { kind: 'shopify', content, isTest: true, account: source.account });
    const customer = { id: 1, email: 'ana@x.example' };
    await send(test, 'customers/redact', { shop_domain: content.shop, customer, orders_to_redact: [1] });
    await workOff(api);
    const { rows } = await api.database.pool.query('select is_test from erasure where account_id = $1', [
      source.account.id,
    ]);
    expect(rows).toEqual([{ is_test: true }]);
  });

  it('ignores what is authorized and not paid, and messages of another shop', async () => {
    const source = await givenSource(api, { kind: 'shopify', content: { ...content, shop: 'other.myshopify.com' } });
    await send(source, 'orders/paid', shopifyOrder('x'));
    const own = await givenSource(api, { kind: 'shopify', content });
    await send(own, 'orders/updated', shopifyOrder('x', { financial_status: 'authorized' }));
    await workOff(api);
    expect([await source.events(), await own.events()]).toMatchObject([
      [{ outcome: 'ignored', reason: 'other-store' }],
      [{ outcome: 'ignored', reason: 'not-paid' }],
    ]);
  });
});

describe('a Stripe account', async () => {
  const api = await shared(givenApi());
  const content = { secret: 'whsec_text' };
  const send = (
    source: TestSource,
    type: string,
    object: object,
    { livemode = true, at = seconds(), created = seconds() } = {},
  ) => {
    const body = JSON.stringify({ id: unique('evt'), object: 'event', type, livemode, created, data: { object } });
    const signature = hmac(content.secret, `${at}.${body}`, 'hex');
    const header = `t=${at},v1=${'0'.repeat(64)},v1=${signature},v0=x`;
    return api.send('POST', source.url, { body, headers: { 'stripe-signature': header } });
  };
  const session = (lead: string, change: object = {}) => ({
    id: 'cs_live_1',
    object: 'checkout.session',
    client_reference_id: lead,
    payment_status: 'paid',
    payment_intent: 'pi_1',
    amount_total: 1540050,
    currency: 'ars',
    created: seconds() - 600,
    customer_details: { email: 'ana@x.example', phone: '+541155550101', name: 'Ana' },
    ...change,
  });
  const intent = { id: 'pi_1', amount_received: 1540050, currency: 'ars', created: seconds() - 600 };
  const charge = { id: 'ch_1', payment_intent: 'pi_1', currency: 'ars', captured: true, amount: 1540050 };

  it('counts one sale with its click, also if the payment and the charge come before the session', async () => {
    const source = await givenSource(api, { kind: 'stripe', content });
    const at = { created: seconds() };
    await send(source, 'payment_intent.succeeded', intent, at);
    await send(source, 'charge.succeeded', { ...charge, amount_captured: 1540050, amount_refunded: 0 }, at);
    await workOff(api);
    expect(await source.outcomes()).toEqual([null, null]);
    await send(source, 'checkout.session.completed', session(await givenClick(api, source.account)), at);
    await workOff(api);
    expect(await source.outcomes()).toEqual(['repeated', 'repeated', 'sale']);
    expect((await saleOf(api, source.account, 'pi_1'))?.sale).toMatchObject({ amount: '15400.50', currency: 'ARS' });
  });

  it('dates a sale by its payment, and not by the begin of the checkout', async () => {
    const source = await givenSource(api, { kind: 'stripe', content });
    const created = seconds() - 60;
    const lead = await givenClick(api, source.account);
    await send(source, 'checkout.session.completed', session(lead, { created: created - 3_600 }), { created });
    const paid = { paid_at: created - 30 };
    const invoice = {
      id: 'in_1',
      amount_paid: 100,
      currency: 'ars',
      created: created - 3_600,
      status_transitions: paid,
    };
    await send(source, 'invoice.paid', { ...invoice, metadata: { lead } }, { created });
    await workOff(api);
    const times = [];
    for (const reference of ['pi_1', 'in_1'])
      times.push((await saleOf(api, source.account, reference))?.sale.occurredAt);
    expect(times).toEqual([new Date(created * 1000), new Date((created - 30) * 1000)]);
  });

  it('restates and takes back a sale by what was refunded of its charge', async () => {
    const source = await givenSource(api, { kind: 'stripe', content });
    await send(source, 'checkout.session.completed', session(await givenClick(api, source.account)), {
      created: seconds() - 60,
    });
    const refunded = { ...charge, amount_captured: 1540050 };
    await send(source, 'charge.refunded', { ...refunded, amount_refunded: 40050 }, { created: seconds() - 40 });
    await workOff(api);
    await send(source, 'charge.refunded', { ...refunded, amount_refunded: 1540050 }, { created: seconds() - 20 });
    await workOff(api);
    expect((await saleOf(api, source.account, 'pi_1'))?.totals).toEqual(['restate 15000.00', 'retract 0.00']);
  });

  it('takes back what a lost dispute is about, and says that a refund has failed', async () => {
    const source = await givenSource(api, { kind: 'stripe', content });
    const paid = session(await givenClick(api, source.account));
    await send(source, 'checkout.session.completed', paid, { created: seconds() - 60 });
    await workOff(api);
    const dispute = { id: 'dp_1', charge: 'ch_1', payment_intent: 'pi_1', amount: 40050, currency: 'ars' };
    const outcomes = ['needs_response', 'won', 'lost', 'lost'];
    for (const status of outcomes) {
      const type = status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed';
      await send(source, type, { ...dispute, status }, { created: seconds() - 30 });
      await workOff(api);
    }
    await send(source, 'refund.failed', { id: 're_1', charge: 'ch_1', payment_intent: 'pi_1', status: 'failed' });
    await workOff(api);
    expect((await saleOf(api, source.account, 'pi_1'))?.totals).toEqual(['restate 15000.00']);
    const reasons = (await source.events()).map(({ outcome, reason }) => reason ?? outcome);
    expect(reasons).toEqual(['sale', 'not-used', 'not-used', 'adjusted', 'no-new-total', 'refund-failed']);
  });

  it('counts no session that is not paid, reads currencies without decimals, and makes tests of the test mode', async () => {
    const source = await givenSource(api, { kind: 'stripe', content });
    const lead = await givenClick(api, source.account);
    await api.database.pool.query(`update account set currencies = '{CLP}' where id = $1`, [source.account.id]);
    await send(source, 'checkout.session.completed', session(lead, { payment_status: 'unpaid' }));
    const paid = session(lead, { currency: 'clp', amount_total: 15400 });
    await send(source, 'checkout.session.async_payment_succeeded', paid, { livemode: false });
    await workOff(api);
    expect(await source.outcomes()).toEqual(['ignored', 'sale']);
    expect((await saleOf(api, source.account, 'pi_1', true))?.sale).toMatchObject({ amount: '15400' });
  });

  it('refuses what is older than five minutes, or as far ahead', async () => {
    const source = await givenSource(api, { kind: 'stripe', content });
    const statuses = [];
    for (const off of [-301, 301, -290, 290]) {
      statuses.push((await send(source, 'checkout.session.completed', session('x'), { at: seconds() + off })).status);
    }
    expect(statuses).toEqual([401, 401, 200, 200]);
  });
});
