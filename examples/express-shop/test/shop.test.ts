import { createHmac } from 'node:crypto';
import express from 'express';
import { givenServer } from '@leadback/testing';
import { Leadback } from '@leadback/sdk';
import { describe, expect, it } from 'vitest';
import { shop } from '../src/shop.ts';

const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const serviceId = 'Zk3vT9qLm2XcB7nRw5YdHs';

interface GivenShop {
  readonly unavailableFor?: number;
  readonly woocommerceUrl?: string;
}

/** The shop, with an API that is unavailable at first for a number of requests. */
const givenShop = async ({ unavailableFor = 0, woocommerceUrl }: GivenShop = {}) => {
  const sent: { path: string; body: unknown }[] = [];
  const log: string[] = [];
  let failures = unavailableFor;
  const fetch: typeof globalThis.fetch = async (...sending) => {
    failures -= 1;
    if (failures >= 0) throw new TypeError('fetch failed');
    const request = new Request(...sending);
    sent.push({ path: new URL(request.url).pathname, body: await request.json() });
    return Response.json({ id: sent.length, leadId: 12 }, { status: 201 });
  };
  const leadback = new Leadback({ apiKey: 'lb_test', baseUrl: 'https://api.example.com', retriesMax: 0, fetch });
  const server = await givenServer(
    shop({ leadback, webhookSecret, woocommerceUrl, log: (text) => log.push(text), pauseMs: 10 }),
  );
  const post = async (path: string, fields: Record<string, string>) => {
    const response = await globalThis.fetch(server.url + path, { method: 'POST', body: new URLSearchParams(fields) });
    expect(response.status).toBe(200);
    return response.text();
  };
  const buy = async (form: Record<string, string>) => {
    const [, customer = ''] = /name="customer" value="([^"]+)"/.exec(await post('/sign-up', form)) ?? [];
    const [, order = ''] = /\/orders\/([\w-]+)/.exec(await post('/buy', { customer })) ?? [];
    return { customer, order };
  };
  return { ...server, sent, log, post, buy };
};

describe('the example shop', () => {
  it('keeps the lead reference of a visitor in its form, and nothing that cannot be one', async () => {
    await using given = await givenShop();
    const page = async (query: string) => (await fetch(`${given.url}/offer?${query}`)).text();
    expect(await page(`serviceId=${serviceId}`)).toContain(`name="serviceId" value="${serviceId}"`);
    expect(await page('serviceId=<script>')).not.toContain('script');
  });

  it('shows what visitors write as text', async () => {
    const markup = `"><script>alert(1)</script>`;
    const deliveries = [{ platform: 'meta', state: 'failed' }];
    const fetch: typeof globalThis.fetch = async () => Response.json({ id: 1, deliveries });
    const leadback = new Leadback({ apiKey: 'lb_test', baseUrl: 'https://api.example.com', fetch });
    await using server = await givenServer(shop({ leadback, log: () => {} }));
    const pages = [
      await (await globalThis.fetch(`${server.url}/orders/${encodeURIComponent(markup)}`)).text(),
      await (
        await globalThis.fetch(`${server.url}/buy`, { method: 'POST', body: new URLSearchParams({ customer: markup }) })
      ).text(),
    ];
    for (const page of pages) expect(page).not.toContain('<script>alert');
    expect(pages[0]).toContain('failed');
  });

  it('reports the client and then the sale, also if Leadback is unavailable at first', async () => {
    await using given = await givenShop({ unavailableFor: 3 });
    const { customer, order } = await given.buy({ serviceId, email: 'ana@example.com' });
    await expect.poll(() => given.sent).toHaveLength(2);
    expect(given.sent).toMatchObject([
      { path: '/client', body: { leadReference: serviceId, externalReference: customer, email: 'ana@example.com' } },
      { path: '/client/conversion', body: { clientExternalReference: customer, conversionExternalReference: order } },
    ]);
    expect(given.log).toHaveLength(3);
  });

  it('does not report the sale of a client who did not come from an advertisement', async () => {
    await using given = await givenShop();
    await given.buy({ email: 'eva@example.com' });
    await given.buy({ serviceId, email: 'ana@example.com' });
    await expect.poll(() => given.sent).toHaveLength(2);
    expect(given.sent).toMatchObject([{ body: { email: 'ana@example.com' } }, { path: '/client/conversion' }]);
  });

  it('makes orders in a WooCommerce shop instead of calls, once it is switched, with the page where the visitor arrived', async () => {
    const orders: unknown[] = [];
    const standIn = express().post('/shop/orders', express.json(), ({ body }, response) => {
      orders.push(body);
      response.status(201).json({ id: '48211' });
    });
    await using woocommerce = await givenServer(standIn);
    await using given = await givenShop({ woocommerceUrl: `${woocommerce.url}/shop` });
    const switched = await given.post('/switch', { by: 'webhooks', serviceId });
    expect(switched).toContain('the webhooks of WooCommerce');
    expect(switched).toContain(`name="serviceId" value="${serviceId}"`);
    expect(await given.buy({ serviceId, email: 'ana@example.com' })).toMatchObject({ order: '48211' });
    const landingUrl = `${given.url}/offer?serviceId=${serviceId}`;
    expect(orders).toEqual([{ landingUrl, email: 'ana@example.com', amount: 149.9, currency: 'USD' }]);
    await given.post('/switch', { by: 'calls' });
    await given.buy({ serviceId, email: 'eva@example.com' });
    // what was bought before is not reported by calls as well
    await expect.poll(() => given.sent).toHaveLength(2);
    expect(given.sent).toMatchObject([{ body: { email: 'eva@example.com' } }, { path: '/client/conversion' }]);
    expect(orders).toHaveLength(1);
  });

  it('has no switch without a WooCommerce shop', async () => {
    await using given = await givenShop();
    expect(await given.post('/switch', { by: 'webhooks' })).not.toContain('WooCommerce');
  });

  it('accepts a genuine webhook and refuses a forged one', async () => {
    await using given = await givenShop();
    const [id, timestamp] = ['msg_1', String(Math.floor(Date.now() / 1000))];
    const body = '{"type": "delivery.failed", "data": {"conversionId": 31}}';
    const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const statusOf = async (sent: string) => {
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
      return (await fetch(`${given.url}/leadback-webhook`, { method: 'POST', headers, body: sent })).status;
    };
    expect(await statusOf(body)).toBe(204);
    expect(await statusOf(body.replace('31', '32'))).toBe(400);
    expect(given.log).toEqual(['delivery.failed: {"conversionId":31}', expect.stringContaining('webhook-signature')]);
  });
});
