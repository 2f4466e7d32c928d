import { Feedback } from '@leadback/db';
import { unique } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { givenPartner } from '../support/given-partner.ts';
import { arriveAtShop, givenVisitors, type PageContent, type Visitors } from '../support/given-visitors.ts';
import { eventId } from '../support/sandbox.ts';

const sharing: PageContent = { consentText: 'My data may be shared with the platforms' };
const personalisation: PageContent = { consentText: 'My data may be used for ads', consentScope: 'personalisation' };
const gpc = { extraHTTPHeaders: { 'sec-gpc': '1' } };

const granted = { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_GRANTED' };
const limits = { opt_out: true, data_processing_options: ['LDU'] };

describe('what a visitor chose', () => {
  let visitors: Visitors;
  beforeAll(async () => {
    visitors = await givenVisitors();
    await Promise.all([visitors.stack.start('api'), visitors.stack.start('feedback-worker')]);
  }, 180_000);
  afterAll(() => visitors[Symbol.asyncDispose]());

  /** A visitor who goes on and buys; gives what became of the reports, and the events that the platforms got. */
  const sale = async (content: PageContent, { ticks = false, options = {} }: { ticks?: boolean; options?: object }) => {
    const { stack } = visitors;
    const partner = await givenPartner(stack);
    const landingPage = await visitors.givenPage({ ...content, account: partner.account });
    await using window = await visitors.open(options);
    await window.page.goto(visitors.addressOf(landingPage, 'gclid=G1&fbclid=F1'));
    if (ticks) await window.page.getByRole('checkbox').check();
    await window.page.getByRole('button').click();
    const email = 'ana@example.com';
    await partner.post('/client', { leadReference: await arriveAtShop(window.page), email });
    const order = unique('order');
    const sent = { email, amount: 10, currency: 'USD', conversionExternalReference: order };
    const { body } = await partner.post('/client/conversion', sent);
    const id = Number(Object(body).id);
    const reports = () => stack.database.em().find(Feedback, { conversion: id }, { populate: ['connection'] });
    await vi.waitFor(async () => expect((await reports()).filter(({ state }) => state === 'pending')).toEqual([]), {
      timeout: 20_000,
      interval: 100,
    });
    const events = (await stack.sandbox.events()).filter((event) => eventId(event) === order);
    const sentTo = (platform: string) => events.find((event) => event.platform === platform)?.event;
    return {
      reports: (await reports()).map(({ state, reason }) => [state, reason]),
      meta: sentTo('meta'),
      google: sentTo('google'),
    };
  };
  const delivered = [
    ['delivered', null],
    ['delivered', null],
  ];

  it('is a refusal to be shared: nothing is sent, and why is on record', async () => {
    expect(await sale(sharing, {})).toEqual({
      reports: [
        ['skipped', 'consent'],
        ['skipped', 'consent'],
      ],
      meta: undefined,
      google: undefined,
    });
  });

  it('is consent: Google is told', async () => {
    const { reports, meta, google } = await sale(sharing, { ticks: true });
    expect(reports).toEqual(delivered);
    expect(google).toMatchObject({ consent: granted });
    expect(meta).not.toHaveProperty('opt_out');
  });

  it('is a refusal of personalisation alone: Google is told so, and Meta to count and no more', async () => {
    const { reports, meta, google } = await sale(personalisation, {});
    expect(reports).toEqual(delivered);
    expect(google?.consent).toEqual({ adPersonalization: 'CONSENT_DENIED' });
    expect(meta).toMatchObject(limits);
  });

  it.each([
    ['without a question', {}, { options: gpc }],
    ['with a box ticked', sharing, { options: gpc, ticks: true }],
  ])('is Global Privacy Control %s: Google is not told, and Meta to count and no more', async (_, content, choice) => {
    const { reports, meta, google } = await sale(content, choice);
    expect(reports).toHaveLength(2);
    expect(reports).toEqual(expect.arrayContaining([...delivered.slice(1), ['skipped', 'consent']]));
    expect(google).toBeUndefined();
    expect(meta).toMatchObject(limits);
  });

  it('is nothing: nothing is said of it', async () => {
    const { reports, meta, google } = await sale({}, {});
    expect(reports).toEqual(delivered);
    expect(google).not.toHaveProperty('consent');
    expect(meta).not.toHaveProperty('data_processing_options');
  });
});
