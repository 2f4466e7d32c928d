import { Delivery, Lead } from '@leadback/db';
import { eventually, findLead, shared, unique } from '@leadback/testing';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFindings, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { firstOf } from '../support/long-run.ts';
import { givenPartner, type Partner } from '../support/given-partner.ts';
import { arriveAtShop, givenVisitors, offer, type PageContent } from '../support/given-visitors.ts';
import { eventId } from '../support/sandbox.ts';

// slower than the limit of an address, or the page would only say that it is reached
const slowly = { interval: 3_000 };
const person = { name: 'Ana García', email: 'ana@correo.example', phone: '+54 9 11 2345-6712' };
const phone = { width: 360, height: 740 };

const sell = (partner: Partner) =>
  partner.post('/client/conversion', {
    clientExternalReference: 'customer-1',
    conversionExternalReference: unique('order'),
    amount: 10,
    currency: 'USD',
  });

const visitors = await shared(givenVisitors());
await Promise.all([visitors.stack.start('api'), visitors.stack.start('feedback-worker')]);

const em = () => visitors.stack.database.em();

const reasonsOf = async ({ account }: Partner) =>
  (await em().find(Delivery, { account: account.id }, { orderBy: { id: 'asc' } })).map(({ state, reason }) =>
    reason === null ? state : `${state}: ${reason}`,
  );

/** Fills in the form of the page, arrives at the shop, and is registered by the partner. */
const click = async (page: Page, partner: Partner): Promise<string> => {
  const landingPage = await visitors.givenPage({ ...offer, hero: null, account: partner.account });
  await page.goto(visitors.urlOf(landingPage, 'gclid=G1&fbclid=F1&utm_campaign=verano'));
  for (const [name, value] of Object.entries(person)) await page.locator(`#${name}`).fill(value);
  await page.getByRole('checkbox').check();
  await page.getByRole('button').click();
  const leadReference = await arriveAtShop(page);
  const { email } = person;
  expect(await partner.post('/client', { leadReference, email, externalReference: 'customer-1' })).toMatchObject({
    status: 201,
  });
  return leadReference;
};

describe('a visitor and their data', () => {
  it('sees what a click left, withdraws consent, erases it and keeps a receipt', async () => {
    const partner = await givenPartner(visitors.stack);
    await using window = await visitors.open({ locale: 'es-AR', viewport: phone });
    const { page } = window;
    const troubles = troublesOf(page, visitors.stack.landingUrl);
    const reference = await click(page, partner);
    troubles.length = 0; // the shop is another origin
    await sell(partner);
    await eventually(async () => expect(await reasonsOf(partner)).toEqual(['delivered', 'delivered']));

    await page.goto(`${visitors.stack.landingUrl}/no-such-page`);
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Tus datos' }).click();
    const data = await opened;
    await data.getByRole('heading', { name: 'Tus datos' }).waitFor();
    const shown = await data.locator('main').innerText();
    for (const text of [offer.title, '127.0.0.1', 'campaign: verano', 'a***@c***.example', '+54 *** 12', 'Aceptado']) {
      expect(shown).toContain(text);
    }
    expect(shown).toMatch(/Meta: la última vez/);
    expect(shown).toMatch(/Google: la última vez/);
    expect(await data.content()).not.toContain(reference);

    await data.getByRole('button', { name: 'Retirar el consentimiento' }).click();
    await data.getByRole('status').waitFor();
    expect(await data.getByRole('button', { name: 'Retirar el consentimiento' }).count()).toBe(0);
    await sell(partner);
    const withdrawn = 'skipped: consent_withdrawn';
    await eventually(async () =>
      expect(await reasonsOf(partner)).toEqual(['delivered', 'delivered', withdrawn, withdrawn]),
    );

    await data.getByRole('button', { name: 'Borrar estos datos' }).click();
    await data.getByRole('heading', { name: '¿Borrar estos datos?' }).waitFor();
    expect((await findLead(em(), reference)).email).toBe(person.email);
    await data.getByRole('button', { name: 'Borrar ahora' }).click();
    await data.getByRole('link', { name: /^Comprobante/ }).click();
    await eventually(async () => {
      await data.reload();
      expect(await data.getByRole('status').innerText({ timeout: 5_000 })).toContain(
        'Los datos están borrados. La firma es correcta',
      );
    }, slowly);
    expect(await data.locator('main').innerText()).toMatch(/Meta: 1, la última vez/);
    expect(await em().findOneOrFail(Lead, { reference })).toMatchObject({ contact: null });
    await data.goto(`${visitors.stack.landingUrl}/data`);
    expect(await data.locator('main').innerText()).toContain('Este navegador no dejó ningún clic aquí.');
    expect(troubles.filter((trouble) => !trouble.includes('404'))).toEqual([]);
  });

  it.each(firstOf(1, ['light', 'dark'] as const))(
    'can do all of it on a phone in %s mode by the keyboard alone, without accessibility problems',
    async (colorScheme) => {
      const partner = await givenPartner(visitors.stack);
      const options = { viewport: phone, colorScheme, locale: 'pt-BR', javaScriptEnabled: true };
      await using window = await visitors.open(options);
      const { page } = window;
      const reference = await click(page, partner);
      const look = async (name: string) => {
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
        expect(await axeFindings(page)).toEqual([]);
        await leaveScreenshot(page, `data-${name}-${colorScheme}`);
      };
      /** Moves the focus on until it is on the control with this text, and presses Enter. */
      const choose = async (text: string) => {
        for (let count = 0; count < 20; count += 1) {
          await page.keyboard.press('Tab');
          if ((await page.evaluate('document.activeElement.textContent.trim()')) === text) break;
        }
        await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      };
      await page.goto(`${visitors.stack.landingUrl}/data`);
      await look('click');
      await page.locator('#reference').focus();
      await page.keyboard.type(reference);
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      await page.getByRole('link', { name: 'Todos os cliques deste navegador' }).waitFor();
      await choose('Retirar o consentimento');
      await look('withdrawn');
      await choose('Apagar estes dados');
      await look('question');
      await choose('Apagar agora');
      await look('asked');
      await choose(await page.getByRole('link', { name: /^Comprovante/ }).innerText());
      await eventually(async () => {
        await page.reload();
        expect(await page.getByRole('status').innerText({ timeout: 5_000 })).toContain('Os dados foram apagados.');
      }, slowly);
      await look('receipt');
    },
  );
});

const sharing: PageContent = { consentText: 'My data may be shared with the platforms' };
const personalisation: PageContent = { consentText: 'My data may be used for ads', consentScope: 'personalisation' };
const gpc = { extraHTTPHeaders: { 'sec-gpc': '1' } };

const granted = { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_GRANTED' };
const limits = { opt_out: true, data_processing_options: ['LDU'] };

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

describe('consent', () => {
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
