import { Delivery } from '@leadback/db';
import { eventually, unique } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenPartner } from '../support/given-partner.ts';
import { arriveAtShop, givenVisitors, type PageContent, type Visitors } from '../support/given-visitors.ts';
import { eventId } from '../support/sandbox.ts';

const sharing: PageContent = { consentText: 'My data may be shared with the platforms' };
const personalisation: PageContent = { consentText: 'My data may be used for ads', consentScope: 'personalisation' };
const gpc = { extraHTTPHeaders: { 'sec-gpc': '1' } };

const granted = { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_GRANTED' };
const limits = { opt_out: true, data_processing_options: ['LDU'] };

describe('consent', () => {
  let visitors: Visitors;
  beforeAll(async () => {
    visitors = await givenVisitors();
    await Promise.all([visitors.stack.start('api'), visitors.stack.start('feedback-worker')]);
  });
  afterAll(() => visitors[Symbol.asyncDispose]());

  /** A visitor continues and buys; returns the states of the deliveries and the received events. */
  const sale = async (content: PageContent, { ticks = false, options = {} }: { ticks?: boolean; options?: object }) => {
    const { stack } = visitors;
    const partner = await givenPartner(stack);
    const landingPage = await visitors.givenPage({ ...content, account: partner.account });
    await using window = await visitors.open(options);
    await window.page.goto(visitors.urlOf(landingPage, 'gclid=G1&fbclid=F1'));
    if (ticks) await window.page.getByRole('checkbox').check();
    await window.page.getByRole('button').click();
    const email = 'ana@example.com';
    await partner.post('/client', { leadReference: await arriveAtShop(window.page), email });
    const order = unique('order');
    const sent = { email, amount: 10, currency: 'USD', conversionExternalReference: order };
    const { body } = await partner.post('/client/conversion', sent);
    const id = Number(Object(body).id);
    const deliveries = () => stack.database.em().find(Delivery, { conversion: id }, { populate: ['connection'] });
    await eventually(async () => expect((await deliveries()).filter(({ state }) => state === 'pending')).toEqual([]));
    const events = (await stack.sandbox.events()).filter((event) => eventId(event) === order);
    const sentTo = (platform: string) => events.find((event) => event.platform === platform)?.event;
    return {
      deliveries: (await deliveries()).map(({ state, reason }) => [state, reason]),
      meta: sentTo('meta'),
      google: sentTo('google'),
    };
  };
  const delivered = [
    ['delivered', null],
    ['delivered', null],
  ];

  it('skips deliveries with the reason consent if the visitor refused sharing', async () => {
    expect(await sale(sharing, {})).toEqual({
      deliveries: [
        ['skipped', 'consent'],
        ['skipped', 'consent'],
      ],
      meta: undefined,
      google: undefined,
    });
  });

  it('sends Google the consent of the visitor', async () => {
    const { deliveries, meta, google } = await sale(sharing, { ticks: true });
    expect(deliveries).toEqual(delivered);
    expect(google).toMatchObject({ consent: granted });
    expect(meta).not.toHaveProperty('opt_out');
  });

  it('sends Google the refusal of personalisation, and Meta limited data use', async () => {
    const { deliveries, meta, google } = await sale(personalisation, {});
    expect(deliveries).toEqual(delivered);
    expect(google?.consent).toEqual({ adPersonalization: 'CONSENT_DENIED' });
    expect(meta).toMatchObject(limits);
  });

  it.each([
    ['without a question', {}, { options: gpc }],
    ['with a box ticked', sharing, { options: gpc, ticks: true }],
  ])(
    'with Global Privacy Control %s, sends nothing to Google and limited data use to Meta',
    async (_, content, choice) => {
      const { deliveries, meta, google } = await sale(content, choice);
      expect(deliveries).toHaveLength(2);
      expect(deliveries).toEqual(expect.arrayContaining([...delivered.slice(1), ['skipped', 'consent']]));
      expect(google).toBeUndefined();
      expect(meta).toMatchObject(limits);
    },
  );

  it('sends no consent fields if the page did not ask', async () => {
    const { deliveries, meta, google } = await sale({}, {});
    expect(deliveries).toEqual(delivered);
    expect(google).not.toHaveProperty('consent');
    expect(meta).not.toHaveProperty('data_processing_options');
  });
});
