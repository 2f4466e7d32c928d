import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenShop, jsonOf, landingUrl, reference } from './given-shop.ts';

const token = { authorization: 'Bearer good' };

describe("Tiendanube's API", () => {
  const store = '/2025-03/5238476';

  it('Tiendanube shows the order that a message names, with its reference, and its refunds', async () => {
    await using shop = await givenShop('tiendanube', { secret: 's', accessToken: 'good' });
    const { id } = await shop.order({ landingUrl, leadReference: reference, email: 'buyer@example.com' });
    expect((await shop.settled()).map(jsonOf)).toContainEqual({
      store_id: 5_238_476,
      event: 'order/paid',
      id: Number(id),
    });
    const orderOf = async () => (await shop.get(`${store}/orders/${id}`, token)).body;
    expect(await orderOf()).toMatchObject({
      id: Number(id),
      total: '15400.50',
      currency: 'ARS',
      payment_status: 'paid',
      paid_at: expect.stringMatching(/T\d\d:\d\d:\d\d\+0000$/),
      landing_url: landingUrl,
      extra: { leadback: reference },
      customer: { email: 'buyer@example.com' },
    });
    await shop.post(`/orders/${id}/refund`, { amount: '5400.50' });
    expect(await orderOf()).toMatchObject({ total: '15400.50', payment_status: 'partially_refunded' });
    await shop.post(`/orders/${id}/refund`);
    expect(await orderOf()).toMatchObject({ payment_status: 'refunded' });
    expect((await shop.get(`${store}/orders/${id}/transactions`, token)).body).toMatchObject([
      {
        events: [
          { type: 'sale', amount: { value: '15400.50', currency: 'ARS' } },
          { type: 'refund', amount: { value: '5400.50' } },
          { type: 'refund', amount: { value: '10000.00' } },
        ],
      },
    ]);
  });

  it('Tiendanube takes its own header and the usual one, and refuses other tokens and other shops', async () => {
    await using shop = await givenShop('tiendanube', { secret: 's', accessToken: 'good' });
    const statusOf = async (path: string, headers: Record<string, string>) => (await shop.get(path, headers)).status;
    expect(await statusOf(`${store}/store`, token)).toBe(200);
    expect(await statusOf('/v1/5238476/store', { authentication: 'bearer good' })).toBe(200);
    expect(await statusOf(`${store}/store`, { authorization: 'Bearer other' })).toBe(401);
    expect(await statusOf(`${store}/store`, {})).toBe(401);
    expect(await statusOf('/2025-03/1/store', token)).toBe(401);
    expect(await statusOf(`${store}/orders/1`, token)).toBe(404);
  });

  it('Tiendanube lists what changed since a time', async () => {
    await using shop = await givenShop('tiendanube', { secret: 's', accessToken: 'good' });
    const { id } = await shop.order();
    const since = new Date(Date.now() - 60_000).toISOString();
    const later = new Date(Date.now() + 60_000).toISOString();
    expect((await shop.get(`${store}/orders?updated_at_min=${since}`, token)).body).toMatchObject([{ id: Number(id) }]);
    expect((await shop.get(`${store}/orders?updated_at_min=${later}`, token)).body).toEqual([]);
  });

  it('Tiendanube exchanges a code once, for the credentials of the app, and the token before ends', async () => {
    await using shop = await givenShop('tiendanube', { secret: 's', clientId: '8123', accessToken: 'good' });
    const { code } = z.object({ code: z.string() }).parse((await shop.post('/codes')).body);
    const exchange = (change: object = {}) =>
      shop.sandbox.request('POST', '/apps/authorize/token', {
        client_id: '8123',
        client_secret: 's',
        grant_type: 'authorization_code',
        code,
        ...change,
      });
    expect(await exchange({ client_secret: 'other' })).toMatchObject({ status: 401 });
    const { body } = await exchange();
    expect(body).toMatchObject({ token_type: 'bearer', user_id: '5238476' });
    expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const { access_token: issued } = z.object({ access_token: z.string() }).parse(body);
    expect((await shop.get(`${store}/store`, { authorization: `Bearer ${issued}` })).status).toBe(200);
    expect((await shop.get(`${store}/store`, token)).status).toBe(401);
  });

  it('Tiendanube sends to the hooks that the app made by the API, with their headers, and to these alone', async () => {
    await using shop = await givenShop('tiendanube', { secret: 's', accessToken: 'good' });
    const hook = { event: 'order/paid', url: `${shop.url}/hook`, headers: { 'x-own': 'yes' } };
    expect(await shop.sandbox.request('POST', `${store}/webhooks`, hook, token)).toMatchObject({
      status: 201,
      body: { event: 'order/paid' },
    });
    await shop.order();
    const messages = await shop.settled();
    expect(messages.map(({ url, headers }) => [url.pathname, headers['x-own']])).toEqual([
      ['/source/opaque/hook', 'yes'],
      ['/source/opaque/hook', 'yes'],
    ]);
    expect((await shop.get(`${store}/webhooks`, token)).body).toMatchObject([hook]);
  });

  it('Tiendanube asks to erase a customer, and a shop that left', async () => {
    await using shop = await givenShop('tiendanube', { secret: 's' });
    const { id } = await shop.order({ email: 'buyer@example.com' });
    await shop.settled();
    shop.received.length = 0;
    await shop.post('/redact', { orderId: id });
    await shop.post('/redact');
    expect(shop.received.map(jsonOf)).toMatchObject([
      { store_id: 5_238_476, customer: { email: 'buyer@example.com' }, orders_to_redact: [Number(id)] },
      { store_id: 5_238_476 },
    ]);
  });
});

describe("Mercado Pago's API", () => {
  it('Mercado Pago shows the payment that a notification names, with its reference, and the sum of its refunds', async () => {
    await using shop = await givenShop('mercadopago', { secret: 's', accessToken: 'good' });
    const { id } = await shop.order({
      leadReference: reference,
      landingUrl,
      email: 'buyer@example.com',
      phone: '+5491155550101',
    });
    const [note] = await shop.settled();
    expect(note?.url.searchParams.get('data.id')).toBe(id);
    expect(note && jsonOf(note)).toMatchObject({
      action: 'payment.created',
      data: { id },
      type: 'payment',
      live_mode: true,
    });
    const paymentOf = async () => (await shop.get(`/v1/payments/${id}`, token)).body;
    expect(await paymentOf()).toMatchObject({
      id: Number(id),
      status: 'approved',
      status_detail: 'accredited',
      transaction_amount: 15_400.5,
      transaction_amount_refunded: 0,
      currency_id: 'ARS',
      date_approved: expect.stringMatching(/T\d\d:\d\d:\d\d\.\d{3}-04:00$/),
      external_reference: reference,
      metadata: { landing_url: landingUrl },
      payer: { email: 'buyer@example.com', phone: { area_code: '11', number: '55550101' } },
    });
    await shop.post(`/orders/${id}/refund`, { amount: '5400.50' });
    expect(await paymentOf()).toMatchObject({
      status: 'approved',
      status_detail: 'partially_refunded',
      transaction_amount: 15_400.5,
      transaction_amount_refunded: 5_400.5,
    });
    await shop.post(`/orders/${id}/refund`);
    expect(await paymentOf()).toMatchObject({ status: 'refunded', transaction_amount_refunded: 15_400.5 });
    expect((await shop.get(`/v1/payments/${id}/refunds`, token)).body).toMatchObject([
      { amount: 5_400.5 },
      { amount: 10_000 },
    ]);
  });

  it('Mercado Pago finds payments by their reference and by when they changed', async () => {
    await using shop = await givenShop('mercadopago', { secret: 's' });
    const { id } = await shop.order({ leadReference: reference });
    await shop.order();
    const search = async (query: string) => (await shop.get(`/v1/payments/search?${query}`, token)).body;
    expect(await search(`external_reference=${reference}`)).toMatchObject({
      paging: { total: 1 },
      results: [{ id: Number(id) }],
    });
    expect(await search('range=date_last_updated&begin_date=NOW-1HOURS&end_date=NOW')).toMatchObject({
      paging: { total: 2 },
    });
    expect(
      await search('range=date_last_updated&begin_date=2020-01-01T00:00:00Z&end_date=2020-01-02T00:00:00Z'),
    ).toMatchObject({
      paging: { total: 0 },
    });
  });

  it('Mercado Pago gives each delivery another id, also a retry, and signs it again', async () => {
    await using shop = await givenShop('mercadopago', { secret: 's' });
    shop.statuses.push(500);
    await shop.order({ status: 'pending' });
    const payments = (await shop.settled()).filter(({ url }) => url.searchParams.get('type') === 'payment');
    expect(payments).toHaveLength(2);
    for (const differs of ['x-request-id', 'x-signature'] as const) {
      expect(payments[1]?.headers[differs]).not.toBe(payments[0]?.headers[differs]);
    }
    const ids = payments.map((message) => z.object({ id: z.string() }).parse(jsonOf(message)).id);
    expect(new Set(ids).size).toBe(2);
  });

  it('Mercado Pago sends the old notifications without a signature, if it is told to', async () => {
    await using shop = await givenShop('mercadopago', { secret: 's', sendsIpn: true });
    const { id } = await shop.order({ status: 'pending' });
    const old = (await shop.settled()).filter(({ url }) => url.searchParams.has('topic'));
    expect(old.map(({ url }) => url.searchParams.get('topic'))).toEqual(['payment', 'merchant_order']);
    expect(old[0]?.url.searchParams.get('id')).toBe(id);
    expect(old.every(({ headers }) => headers['x-signature'] === undefined)).toBe(true);
  });
});

describe('the APIs of the simulated shops', () => {
  it.each([
    ['tiendanube', '/2025-03/5238476/orders/1'],
    ['mercadopago', '/v1/payments/1'],
  ])('%s fails on demand, in its own words, for as many requests as asked for', async (kind, path) => {
    await using shop = await givenShop(kind, { secret: 's' });
    for (const status of [401, 404, 429, 500]) {
      await shop.behave({ api: { status, times: 1 } });
      const refused = await shop.get(path, token);
      expect(refused).toMatchObject({ status, body: { message: expect.any(String) } });
      expect(refused.headers.get('retry-after')).toBe(status === 429 ? '1' : null);
    }
    const { id } = await shop.order();
    expect((await shop.get(path.replace(/1$/, id), token)).status).toBe(200);
    expect((await shop.get(path.replace(/1$/, id), { authorization: 'Bearer revoked' })).status).toBe(401);
  });
});
