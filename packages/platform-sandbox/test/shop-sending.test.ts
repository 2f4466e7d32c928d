import { describe, expect, it } from 'vitest';
import { givenShop, jsonOf, soon } from './given-shop.ts';

describe('what a simulated shop sends', () => {
  it.each([
    ['woocommerce', 1],
    ['tiendanube', 18],
    ['mercadopago', 11],
    ['shopify', 9],
    ['stripe', 9],
  ])('%s tries a message %i times while nobody takes it', async (kind, attempts) => {
    await using shop = await givenShop(kind, { secret: 'whsec_secret' });
    await shop.behave({ isHeld: true });
    await shop.order({ status: 'pending' });
    await shop.behave({});
    shop.statuses.push(...Array.from({ length: 100 }, () => 503));
    await shop.post('/deliveries/release');
    // a minute is a tenth of a millisecond here: the longest schedules have days
    await soon(async () => {
      expect((await shop.deliveries())[0]).toMatchObject({ state: 'given-up' });
    });
    const [delivery] = await shop.deliveries();
    expect(delivery?.attempts).toHaveLength(attempts);
    expect(delivery?.attempts.every(({ status }) => status === 503)).toBe(true);
  });

  it('a message that is taken at the second attempt is not sent again', async () => {
    await using shop = await givenShop('shopify', { secret: 's' });
    shop.statuses.push(500);
    await shop.order({ status: 'pending' });
    await shop.settled();
    const [delivery] = await shop.deliveries();
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 200]);
    expect(shop.received).toHaveLength(2);
  });

  it('WooCommerce takes 302 as a success, switches a hook off at the seventh failure in a row, and on when it is saved', async () => {
    await using shop = await givenShop('woocommerce', { secret: 's' });
    const { id } = await shop.order({ status: 'on-hold' });
    await shop.settled();
    shop.statuses.push(302, 500, 500, 500, 500, 500, 500, 500);
    await shop.post(`/orders/${id}/pay`);
    for (let cents = 1; cents <= 7; cents += 1) await shop.post(`/orders/${id}/refund`, { amount: cents });
    await shop.settled();
    const states = (await shop.deliveries()).slice(0, 9).map(({ state }) => state);
    expect(states).toEqual([
      'switched-off',
      'given-up',
      'given-up',
      'given-up',
      'given-up',
      'given-up',
      'given-up',
      'given-up',
      'taken',
    ]);
    expect((await shop.get('/shops/woocommerce')).body).toMatchObject({ switchedOff: ['order.updated'] });
    expect((await shop.put('', { url: shop.url, secret: 's' })).body).toMatchObject({ switchedOff: [] });
  });

  it('a sender of Standard Webhooks ends at 410', async () => {
    await using shop = await givenShop('webhook', { secret: 'whsec_c2VjcmV0' });
    shop.statuses.push(410);
    await shop.order();
    await soon(async () => {
      expect((await shop.deliveries()).map(({ state }) => state)).toEqual(['switched-off', 'switched-off']);
    });
    expect(shop.received).toHaveLength(1);
  });

  it('a wrong signature and none at all are told, for as many messages as asked for', async () => {
    await using shop = await givenShop('shopify', { secret: 's' });
    await shop.behave({ messages: 'unsigned', times: 1 });
    await shop.order({ status: 'pending' });
    await shop.settled();
    await shop.order({ status: 'pending' });
    await shop.settled();
    expect(shop.received.map(({ headers }) => 'x-shopify-hmac-sha256' in headers)).toEqual([false, true]);
    await shop.behave({ messages: 'wrong-signature', times: 1 });
    await shop.post('/orders', { amount: 1, currency: 'ARS', status: 'pending' });
    await shop.settled();
    const [wrong] = await shop.deliveries();
    await shop.post(`/deliveries/${wrong?.id}/again`);
    await shop.settled();
    const [twice, once] = shop.received.toReversed();
    expect(twice?.raw).toEqual(once?.raw);
    expect(twice?.headers['x-shopify-hmac-sha256']).not.toBe(once?.headers['x-shopify-hmac-sha256']);
  });

  it('half a body arrives once, and the retry brings the whole', async () => {
    await using shop = await givenShop('shopify', { secret: 's' });
    await shop.behave({ messages: 'half-body', times: 1 });
    await shop.order({ status: 'pending' });
    await shop.settled();
    expect((await shop.deliveries())[0]?.attempts).toMatchObject([{ error: expect.any(String) }, { status: 200 }]);
    expect(shop.received.map(jsonOf)).toMatchObject([{ financial_status: 'pending' }]);
  });

  it('what is held leaves in the order that is asked for: a refund before its sale', async () => {
    await using shop = await givenShop('webhook', { secret: 'whsec_c2VjcmV0' });
    await shop.behave({ isHeld: true });
    const { id } = await shop.order();
    await shop.post(`/orders/${id}/refund`);
    expect(shop.received).toEqual([]);
    expect(await shop.post('/deliveries/release', { isNewestFirst: true })).toMatchObject({ body: { released: 3 } });
    expect(shop.received.map(jsonOf)).toMatchObject([
      { type: 'order.refunded' },
      { type: 'order.paid' },
      { type: 'order.created' },
    ]);
  });

  it('copies are sent beside the message, and a delay is kept', async () => {
    await using shop = await givenShop('shopify', { secret: 's' });
    await shop.behave({ copies: 3, delayMs: 50 });
    const startMs = performance.now();
    await shop.order({ status: 'pending' });
    await shop.settled();
    expect(performance.now() - startMs).toBeGreaterThan(45);
    expect(
      new Set(shop.received.map(({ raw, headers }) => `${String(headers['x-shopify-webhook-id'])} ${raw.toString()}`))
        .size,
    ).toBe(1);
    expect(shop.received).toHaveLength(3);
  });

  it('the list of deliveries has the request, and what the other side responded', async () => {
    await using shop = await givenShop('stripe', { secret: 'whsec_s' });
    await shop.order({ status: 'pending' });
    await shop.settled();
    expect((await shop.get('/shops/stripe/deliveries')).body).toMatchObject([
      {
        topic: 'payment_intent.created',
        state: 'taken',
        request: {
          method: 'POST',
          url: shop.url,
          headers: { 'stripe-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/) },
        },
        attempts: [{ status: 200, body: '{"ok":true}' }],
      },
    ]);
  });

  it('a network has neither a signature nor a body to spoil', async () => {
    await using shop = await givenShop('postback');
    expect(await shop.behave({ messages: 'wrong-signature' })).toMatchObject({ status: 400 });
  });
});
