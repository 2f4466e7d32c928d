import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenShop, jsonOf, landingUrl, reference } from './given-shop.ts';

const secrets: Readonly<Record<string, string>> = { stripe: 'whsec_a', webhook: 'whsec_c2VjcmV0IG9mIDMyIGJ5dGVz' };
const shopOf = (kind: string, settings: object = {}) =>
  givenShop(kind, { ...(kind !== 'postback' && { secret: secrets[kind] ?? 'secret' }), ...settings });

const topicOf: Readonly<Record<string, (body: unknown, headers: Readonly<Record<string, unknown>>) => unknown>> = {
  woocommerce: (_body, headers) => headers['x-wc-webhook-topic'],
  tiendanube: (body) => z.object({ event: z.string() }).parse(body).event,
  mercadopago: (body) => z.object({ action: z.string() }).parse(body).action,
  shopify: (_body, headers) => headers['x-shopify-topic'],
  stripe: (body) => z.object({ type: z.string() }).parse(body).type,
  webhook: (body) => z.object({ type: z.string() }).parse(body).type,
};

const topicsOf = async (shop: Awaited<ReturnType<typeof givenShop>>, kind: string) =>
  (await shop.settled()).map((message) => topicOf[kind]?.(jsonOf(message), message.headers));

/** A refund as Shopify sends it. */
const refundOf = (amount: string) => ({
  transactions: [{ kind: 'refund', status: 'success', amount, currency: 'ARS' }],
});

describe('the orders of the simulated shops', () => {
  it.each([
    ['woocommerce', ['order.created', 'order.updated', 'order.updated']],
    ['tiendanube', ['order/created', 'order/updated', 'order/paid', 'order/paid']],
    ['mercadopago', ['payment.created', 'create', 'payment.updated', 'update']],
    ['shopify', ['orders/create', 'orders/paid', 'orders/updated']],
    [
      'stripe',
      ['payment_intent.created', 'payment_intent.succeeded', 'charge.succeeded', 'checkout.session.completed'],
    ],
    ['webhook', ['order.created', 'order.paid']],
  ])(
    '%s says first that an order was made, then that it is paid, with the repeats of the real one',
    async (kind, topics) => {
      await using shop = await shopOf(kind);
      await shop.order();
      expect(await topicsOf(shop, kind)).toEqual(topics);
    },
  );

  it.each([
    ['woocommerce', ['order.created'], ['order.updated']],
    ['tiendanube', ['order/created'], ['order/voided', 'order/cancelled']],
    ['mercadopago', ['payment.created', 'create'], ['payment.updated', 'update']],
    ['shopify', ['orders/create'], ['orders/cancelled', 'orders/updated']],
    ['stripe', ['payment_intent.created'], ['payment_intent.canceled', 'checkout.session.expired']],
    ['webhook', ['order.created'], ['order.cancelled']],
  ])(
    '%s says of an order that nobody paid that it was made, then that it is cancelled',
    async (kind, created, cancelled) => {
      await using shop = await shopOf(kind);
      const { id } = await shop.order({ status: 'pending' });
      expect(await topicsOf(shop, kind)).toEqual(created);
      expect(await shop.post(`/orders/${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
      expect(await topicsOf(shop, kind)).toEqual([...created, ...cancelled]);
    },
  );

  it.each([
    ['woocommerce', 5, '"id":820982911946154508,'],
    ['tiendanube', 10, '"id":820982911946154508}'],
    ['mercadopago', 12, '"id":"820982911946154508"}'],
    ['shopify', 13, '"id":820982911946154508,'],
    ['webhook', 18, '"id":820982911946154508,'],
  ])('an id of %s has %i digits, and one of 18 digits arrives with all of them', async (kind, digits, written) => {
    await using shop = await shopOf(kind);
    const { id } = await shop.order();
    expect(id).toMatch(new RegExp(`^\\d{${digits}}$`));
    await shop.order({ id: '820982911946154508' });
    const bodies = (await shop.settled()).map(({ raw }) => raw.toString());
    expect(bodies.some((body) => body.includes(written))).toBe(true);
  });

  it('a test order of Shopify has an id of 18 digits, as the sample of its notifications page', async () => {
    await using shop = await shopOf('shopify');
    const { id } = await shop.order({ isTest: true });
    expect(id).toMatch(/^\d{18}$/);
    expect((await shop.settled()).every(({ raw }) => raw.includes('"test":true'))).toBe(true);
  });

  it('WooCommerce keeps the first URL of the session in its attribution, and a field of the checkout in its meta data', async () => {
    await using shop = await shopOf('woocommerce');
    await shop.order({ landingUrl, leadReference: reference, email: 'buyer@example.com', phone: '11 5555-0101' });
    const [created, paid] = await shop.settled();
    expect(created && jsonOf(created)).toMatchObject({ status: 'pending', date_paid_gmt: null, total: '15400.50' });
    expect(paid && jsonOf(paid)).toMatchObject({
      status: 'processing',
      date_paid_gmt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      billing: { email: 'buyer@example.com', phone: '11 5555-0101', country: 'AR' },
      meta_data: expect.arrayContaining([
        expect.objectContaining({ key: '_wc_order_attribution_session_entry', value: landingUrl }),
        expect.objectContaining({ key: '_wc_order_attribution_utm_source', value: 'google' }),
        expect.objectContaining({ value: reference }),
      ]),
    });
    // as PHP writes it
    expect(created?.raw.toString()).toContain(String.raw`https:\/\/mate.example\/p\/mate?serviceId=`);
    expect(created?.raw.toString()).toContain(String.raw`N\u00fa\u00f1ez`);
  });

  it('WooCommerce pings each hook unsigned when it is connected, and expects 200', async () => {
    await using shop = await shopOf('woocommerce');
    await shop.put('', { url: shop.url, secret: 'secret' });
    const [ping] = await shop.settled();
    expect(ping?.raw.toString()).toBe('webhook_id=7');
    expect(ping?.headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded' });
    expect(ping?.headers['x-wc-webhook-signature']).toBeUndefined();
  });

  it('WooCommerce restates: a partial refund leaves the status, and the refunds add up to the whole', async () => {
    await using shop = await shopOf('woocommerce');
    const { id } = await shop.order();
    await shop.post(`/orders/${id}/refund`, { amount: 5400.5 });
    await shop.post(`/orders/${id}/refund`);
    const [partial, whole] = (await shop.settled()).slice(-2).map(jsonOf);
    expect(partial).toMatchObject({ status: 'processing', total: '15400.50', refunds: [{ total: '-5400.50' }] });
    expect(whole).toMatchObject({ status: 'refunded', refunds: [{ total: '-5400.50' }, { total: '-10000.00' }] });
  });

  it('Shopify keeps a reference in the attributes of the cart or in the first page of the visit', async () => {
    await using shop = await shopOf('shopify');
    await shop.order({ leadReference: reference });
    await shop.order({ landingUrl });
    const bodies = (await shop.settled()).map(jsonOf);
    expect(bodies).toContainEqual(
      expect.objectContaining({ landing_site: null, note_attributes: [{ name: 'leadback', value: reference }] }),
    );
    const site = `/p/mate?serviceId=${reference}&utm_source=google&gclid=Cj0abc`;
    expect(bodies).toContainEqual(expect.objectContaining({ landing_site: site, note_attributes: [] }));
  });

  it('Shopify sends each refund alone, and the order with what is left of it', async () => {
    await using shop = await shopOf('shopify');
    const { id } = await shop.order();
    await shop.post(`/orders/${id}/refund`, { amount: '5400.50' });
    await shop.post(`/orders/${id}/refund`);
    const [first, partial, second, whole] = (await shop.settled()).slice(-4).map(jsonOf);
    expect(first).toMatchObject(refundOf('5400.50'));
    expect(partial).toMatchObject({ financial_status: 'partially_refunded', current_total_price: '10000.00' });
    expect(second).toMatchObject(refundOf('10000.00'));
    expect(whole).toMatchObject({ financial_status: 'refunded', total_price: '15400.50', current_total_price: '0.00' });
  });

  it('Shopify gives all topics of one action the same event id, and each its own webhook id, which a retry keeps', async () => {
    await using shop = await shopOf('shopify');
    shop.statuses.push(200, 503);
    await shop.order();
    const messages = await shop.settled();
    const ids = messages.map(
      ({ headers }) => `${String(headers['x-shopify-topic'])} ${String(headers['x-shopify-webhook-id'])}`,
    );
    expect([ids.length, new Set(ids).size]).toEqual([4, 3]);
    const paid = messages.filter(({ headers }) => headers['x-shopify-topic'] !== 'orders/create');
    expect(new Set(paid.map(({ headers }) => headers['x-shopify-event-id'])).size).toBe(1);
    const repeated = messages.filter(({ headers }) => headers['x-shopify-topic'] === 'orders/paid');
    expect(repeated).toHaveLength(2);
    expect(repeated[1]?.raw).toEqual(repeated[0]?.raw);
  });

  it('Shopify counts in the currency of the shop, and has what the buyer paid beside it', async () => {
    await using shop = await shopOf('shopify', { shopMoney: { currency: 'USD', rate: 1000 } });
    await shop.order();
    expect((await shop.settled()).map(jsonOf)).toContainEqual(
      expect.objectContaining({
        currency: 'USD',
        presentment_currency: 'ARS',
        total_price: '15.40',
        total_price_set: {
          shop_money: { amount: '15.40', currency_code: 'USD' },
          presentment_money: { amount: '15400.50', currency_code: 'ARS' },
        },
      }),
    );
  });

  it('Stripe has the reference in the session alone, which comes after the payment and the charge', async () => {
    await using shop = await shopOf('stripe');
    await shop.order({ leadReference: reference });
    const messages = await shop.settled();
    const withReference = messages.map(({ raw }) => raw.includes(reference));
    expect(withReference).toEqual([false, false, false, true]);
  });

  it.each([
    ['ARS', '15400.50', 1_540_050],
    ['CLP', '18000', 18_000],
    ['KWD', '1.234', 1_234],
    ['ISK', '500', 50_000],
  ])('Stripe has %s %s in the smallest unit, as its own list says', async (currency, amount, smallest) => {
    await using shop = await shopOf('stripe');
    await shop.order({ currency, amount });
    const last = (await shop.settled()).at(-1);
    expect(last && jsonOf(last)).toMatchObject({
      data: { object: { amount_total: smallest, currency: currency.toLowerCase() } },
    });
  });

  it('Stripe adds up the refunds of a charge, which is refunded only as a whole', async () => {
    await using shop = await shopOf('stripe');
    const { id, charge } = await shop.order();
    await shop.post(`/orders/${id}/refund`, { amount: '5400.50' });
    await shop.post(`/orders/${id}/refund`);
    const events = (await shop.settled()).map(jsonOf);
    const chargeOf = (refunded: number, isWhole: boolean) =>
      expect.objectContaining({
        type: 'charge.refunded',
        data: expect.objectContaining({
          object: expect.objectContaining({ id: charge, amount_refunded: refunded, refunded: isWhole }),
        }),
      });
    expect(events).toContainEqual(chargeOf(540_050, false));
    expect(events).toContainEqual(chargeOf(1_540_050, true));
  });

  it('Stripe says of a voucher first that the session is complete and unpaid', async () => {
    await using shop = await shopOf('stripe');
    const { id } = await shop.order({ status: 'unpaid' });
    await shop.post(`/orders/${id}/pay`);
    const sessions = (await shop.settled())
      .map((message) =>
        z.object({ type: z.string(), data: z.object({ object: z.looseObject({}) }) }).parse(jsonOf(message)),
      )
      .filter(({ type }) => type.startsWith('checkout'))
      .map(({ type, data }) => [type, data.object['payment_status']]);
    expect(sessions).toEqual([
      ['checkout.session.completed', 'unpaid'],
      ['checkout.session.async_payment_succeeded', 'paid'],
    ]);
  });

  it('the generic sender writes forms and decimal commas, with all digits of an id', async () => {
    await using shop = await shopOf('webhook', { body: 'form', decimalMark: ',' });
    const { id } = await shop.order({ amount: 1_234_567.5, leadReference: reference });
    const paid = new URLSearchParams((await shop.settled()).at(-1)?.raw.toString());
    expect(Object.fromEntries(paid)).toMatchObject({
      type: 'order.paid',
      'data[order][id]': id,
      'data[total]': '1.234.567,50',
      'data[lead_reference]': reference,
    });
  });

  it('the generic sender has the new total after a refund', async () => {
    await using shop = await shopOf('webhook');
    const { id } = await shop.order();
    await shop.post(`/orders/${id}/refund`, { amount: '5400.50' });
    await shop.post(`/orders/${id}/refund`);
    const refunds = (await shop.settled()).slice(-2).map(jsonOf);
    expect(refunds).toMatchObject([
      { type: 'order.partially_refunded', data: { total: '10000.00', refund: { amount: '5400.50' } } },
      { type: 'order.refunded', data: { total: '0.00', refund: { amount: '10000.00' } } },
    ]);
  });

  it('a network calls the URL for each change, fills its own placeholders, and leaves the others as they are', async () => {
    await using shop = await shopOf('postback');
    await shop.put('', { url: `${shop.url}?ref={subid}&order={txid}&amount={payout}&status={status}&x={subacc4}` });
    const { id } = await shop.order({ landingUrl });
    await shop.post(`/orders/${id}/refund`, { amount: '5400.50' });
    await shop.post(`/orders/${id}/refund`);
    const calls = (await shop.settled()).map(({ method, url }) => [method, Object.fromEntries(url.searchParams)]);
    const call = (status: string, amount: string) => [
      'GET',
      { ref: reference, order: id, amount, status, x: '{subacc4}' },
    ];
    expect(calls).toEqual([
      call('pending', '15400.50'),
      call('approved', '15400.50'),
      call('approved', '10000.00'),
      call('reversed', '0.00'),
    ]);
  });

  it.each([
    ['more than is left', { amount: 15_400.51 }],
    ['nothing', { amount: 0 }],
  ])('no shop refunds %s, and says what can be refunded', async (_name, refund) => {
    await using shop = await shopOf('shopify');
    const { id } = await shop.order();
    expect(await shop.post(`/orders/${id}/refund`, refund)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('15400.50 ARS') },
    });
  });

  it.each([
    ['an amount with more decimals than the currency has', { amount: '10.005', currency: 'ARS' }, 400],
    ['an unknown field', { amount: 1, currency: 'ARS', total: 1 }, 400],
    ['a status that the shop does not know', { amount: 1, currency: 'ARS', status: 'done' }, 400],
    ['a test in a shop that marks none', { amount: 1, currency: 'ARS', isTest: true }, 400],
  ])('an order with %s is refused', async (_name, order, status) => {
    await using shop = await shopOf('woocommerce');
    expect(await shop.post('/orders', order)).toMatchObject({ status, body: { message: expect.any(String) } });
  });

  it('a shop that is connected to nothing makes no order', async () => {
    await using shop = await shopOf('woocommerce');
    await shop.sandbox.request('DELETE', '/shops/woocommerce');
    expect(await shop.post('/orders', { amount: 1, currency: 'ARS' })).toMatchObject({ status: 409 });
  });
});
