import { createHash } from 'node:crypto';
import { Delivery } from '@leadback/db';
import { readAccountMetrics } from '@leadback/core/metrics/metrics';
import { eventually, findLead, givenLandingPage, givenServer, type TestServer } from '@leadback/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allDelivered } from '../support/deliveries.ts';
import { givenBrowser } from '../support/given-browser.ts';
import { givenPartner } from '../support/given-partner.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';
import { eventId } from '../support/sandbox.ts';

const headers: unknown = expect.any(Headers);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe("a visitor's click", () => {
  let stack: TestStack;
  let shop: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    stack = await givenStack();
    [shop, browser] = await Promise.all([
      givenServer((_request, response) => response.end('<h1>The shop</h1>')),
      givenBrowser(),
      stack.start('landing'),
      stack.start('api'),
      stack.start('feedback-worker'),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await shop[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
  });

  /** Opens a landing page in a real browser, continues, and returns the lead reference that the shop received. */
  const visit = async (account: Parameters<typeof givenLandingPage>[1], query: string): Promise<string> => {
    const landingPage = await givenLandingPage(stack.database.em(), { ...account, targetUrl: `${shop.url}/offer?a=1` });
    const page = await browser.newPage();
    await page.goto(`${stack.landingUrl}/${landingPage.slug}?${query}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'The shop' }).waitFor();
    const arrived = new URL(page.url());
    await page.close();
    expect(arrived.searchParams.get('a')).toBe('1');
    return arrived.searchParams.get('serviceId') ?? '';
  };
  const eventsOf = async (id: string) => (await stack.sandbox.events()).filter((event) => eventId(event) === id);

  it('reports the conversion of a click once to Meta and Google', async () => {
    const partner = await givenPartner(stack);
    const leadReference = await visit(partner, 'gclid=Cj0-Click&fbclid=IwAR2-Click&utm_campaign=verano');
    const lead = await findLead(stack.database.em(), leadReference);
    const client = {
      leadReference,
      name: 'Ana Pérez',
      email: 'Ana.Perez@Gmail.com',
      phoneNumber: '+54 9 11 2345-6789',
      externalReference: 'customer-7',
    };
    expect(await partner.post('/client', client)).toEqual({ status: 201, headers, body: { id: expect.any(Number) } });
    const order = {
      clientExternalReference: 'customer-7',
      conversionExternalReference: 'order-9',
      amount: 149.9,
      currency: 'USD',
    };
    const registered = await partner.post('/client/conversion', order);
    expect(registered).toEqual({ status: 201, headers, body: { id: expect.any(Number), leadId: lead.id } });
    await allDelivered(stack.database);

    const events = await eventsOf(order.conversionExternalReference);
    const meta = events.find(({ platform }) => platform === 'meta');
    const google = events.find(({ platform }) => platform === 'google');
    expect(events).toHaveLength(2);
    expect(meta?.event).toMatchObject({
      event_name: 'Purchase',
      action_source: 'website',
      user_data: {
        em: [sha256('ana.perez@gmail.com')],
        ph: [sha256('5491123456789'), sha256('541123456789')],
        fn: [sha256('ana')],
        ln: [sha256('pérez')],
        external_id: [sha256('customer-7')],
        fbc: `fb.1.${lead.createdAt.getTime()}.IwAR2-Click`,
        fbp: lead.clickParameters._fbp,
      },
      custom_data: { value: 149.9, currency: 'USD', order_id: 'order-9' },
    });
    // a loopback address is not the address of a visitor
    expect(meta?.event).not.toHaveProperty('user_data.client_ip_address');
    expect(google?.event).toMatchObject({
      conversionValue: 149.9,
      currency: 'USD',
      adIdentifiers: { gclid: 'Cj0-Click' },
      userData: {
        userIdentifiers: [
          { emailAddress: sha256('anaperez@gmail.com') },
          { phoneNumber: sha256('+5491123456789') },
          { phoneNumber: sha256('+541123456789') },
        ],
      },
    });

    const repeated = await partner.post('/client/conversion', order);
    expect(repeated.status).toBe(400);
    expect(await stack.database.em().count(Delivery, { account: partner.account.id })).toBe(2);
    expect(await eventsOf(order.conversionExternalReference)).toHaveLength(2);

    const written = await stack.logsAndMetrics();
    expect(written).toContain('"route":"/api/v1/client/conversion"');
    for (const personal of [
      'Perez',
      'Pérez',
      '2345-6789',
      '5491123456789',
      'Cj0-Click',
      'IwAR2-Click',
      leadReference,
      partner.key,
    ]) {
      expect(written).not.toContain(personal);
    }
  });

  it('counts a conversion in metrics when its registration responds, and rolls the changes up later', async () => {
    const partner = await givenPartner(stack);
    const leadReference = await visit(partner, 'gclid=Cj0-Click&utm_campaign=verano');
    await partner.post('/client', { leadReference, externalReference: 'customer-8' });
    const order = { clientExternalReference: 'customer-8', amount: 10.5, currency: 'ARS' };
    expect(await partner.post('/client/conversion', order)).toMatchObject({ status: 201 });
    const question = { accountId: partner.account.id, from: '2000-01-01', to: '2100-01-01', by: ['campaign'] } as const;
    const read = () => readAccountMetrics(stack.database.em(), question);
    const funnel = { leads: 1, clients: 1, conversions: 1, 'amount.ARS': 10.5 };
    expect(await read()).toMatchObject([
      { day: null, page: null, campaign: 'verano', values: expect.objectContaining(funnel) },
    ]);

    await allDelivered(stack.database);
    const changes = 'select from metric_increment where account_id = $1';
    await eventually(
      async () => expect((await stack.database.pool.query(changes, [partner.account.id])).rowCount).toBe(0),
      { interval: 200 },
    );
    const delivered = { 'deliveries.meta.delivered': 1, 'deliveries.google.delivered': 1 };
    expect(await read()).toMatchObject([{ values: { ...funnel, ...delivered } }]);
  });
});
