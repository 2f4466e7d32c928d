import { hiddenFieldsIn, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { arriveAtShop, givenVisitors, offer } from '../support/given-visitors.ts';

describe('a visitor with a browser', async () => {
  const visitors = await shared(givenVisitors());

  it.each([
    ['with', true],
    ['without', false],
  ])('carries a visitor to the shop %s JavaScript', async (_, javaScriptEnabled) => {
    const landingPage = await visitors.givenPage(offer);
    await using window = await visitors.open({
      javaScriptEnabled,
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = window;
    await page.goto(visitors.urlOf(landingPage, 'gclid=G1&utm_campaign=verano'), {
      referer: 'https://www.google.com/',
    });
    await page.getByLabel('Nombre').fill('Ana Pérez');
    await page.getByLabel('Correo electrónico').fill('ana@example.com');
    await page.getByLabel('Teléfono').fill('+54 11 2345-6789');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Quiero la oferta' }).tap();
    const reference = await arriveAtShop(page);
    expect(await visitors.leadsOf(landingPage)).toMatchObject([
      {
        reference,
        clickParameters: { gclid: 'G1', utm_campaign: 'verano' },
        name: 'Ana Pérez',
        email: 'ana@example.com',
        phone: '+54 11 2345-6789',
        consent: true,
        referrer: 'https://www.google.com/',
      },
    ]);
  });

  it('sends the shop the origin of the landing page as referrer, without the click', async () => {
    const landingPage = await visitors.givenPage();
    await using window = await visitors.open();
    const told = Promise.withResolvers<string | undefined>();
    window.page.on('request', (request) => {
      if (request.url().startsWith(visitors.shopUrl)) told.resolve(request.headers()['referer']);
    });
    await window.page.goto(visitors.urlOf(landingPage, 'gclid=G1'));
    await window.page.getByRole('button').click();
    expect(await told.promise).toBe(`${visitors.stack.landingUrl}/`);
  });

  it('lets a visitor complete the form with the keyboard alone', async () => {
    const landingPage = await visitors.givenPage(offer);
    await using window = await visitors.open();
    const { page } = window;
    await page.goto(visitors.urlOf(landingPage));
    for (const text of ['Ana', 'ana@example.com', '11 2345-6789']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Política de privacidad');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('Enter');
    await arriveAtShop(page);
    expect(await visitors.leadsOf(landingPage)).toMatchObject([{ name: 'Ana', phone: '11 2345-6789', consent: true }]);
  });

  it('records one lead for a double click', async () => {
    const landingPage = await visitors.givenPage();
    await using window = await visitors.open();
    const { page } = window;
    await page.goto(visitors.urlOf(landingPage));
    await page.getByRole('button').dblclick();
    const reference = await arriveAtShop(page);
    expect(await visitors.leadsOf(landingPage)).toMatchObject([{ reference }]);
  });

  it('records a second lead if a visitor goes back and continues again', async () => {
    const landingPage = await visitors.givenPage({ askedFields: ['email'] });
    await using window = await visitors.open();
    const { page } = window;
    await page.goto(visitors.urlOf(landingPage));
    await page.getByRole('textbox').fill('ana@exampel.com');
    await page.getByRole('button').click();
    const first = await arriveAtShop(page);
    await page.goBack();
    await page.getByRole('textbox').fill('ana@example.com');
    await page.getByRole('button').click();
    const second = await arriveAtShop(page);
    expect(await visitors.leadsOf(landingPage)).toMatchObject([
      { reference: first, email: 'ana@exampel.com' },
      { reference: second, email: 'ana@example.com', clickParameters: { gclid: 'G1' } },
    ]);
  });

  it("records the last click of each platform, and sets a browser id that Meta's pixel can read", async () => {
    const landingPage = await visitors.givenPage();
    await using window = await visitors.open();
    const { page } = window;
    await page.goto(visitors.urlOf(landingPage, 'fbclid=F1'));
    await page.goto(visitors.urlOf(landingPage, 'gclid=G1'));
    await page.goto(visitors.urlOf(landingPage, 'utm_source=newsletter'));
    const [, fbp = ''] = /_fbp=([^;]+)/.exec(String(await page.evaluate('document.cookie'))) ?? [];
    expect(fbp).toMatch(/^fb\.3\.\d{13}\.\d{10}$/);
    await page.getByRole('button').click();
    await arriveAtShop(page);
    const [lead] = await visitors.leadsOf(landingPage);
    expect(lead?.clickParameters).toEqual({ gclid: 'G1', fbclid: 'F1', utm_source: 'newsletter', _fbp: fbp });
    expect(Object.keys(lead?.clickTimes ?? {}).toSorted()).toEqual(['fbclid', 'gclid']);
  });

  it('records no consent from a form that another site submits', async () => {
    const landingPage = await visitors.givenPage({ consentText: 'I agree' });
    await using window = await visitors.open();
    const { page } = window;
    await page.goto(visitors.urlOf(landingPage));
    const own = hiddenFieldsIn(await page.content());
    // not the same site as 127.0.0.1
    await page.goto(visitors.shopUrl.replace('127.0.0.1', 'localhost'));
    await page.evaluate(`{
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: ${JSON.stringify(visitors.urlOf(landingPage))} });
      for (const [name, value] of Object.entries(${JSON.stringify({ ...own, consent: 'yes' })})) {
        const input = document.createElement('input');
        Object.assign(input, { name, value });
        form.append(input);
      }
      document.body.append(form);
      form.submit();
    }`);
    await page.waitForURL(/serviceId=/);
    expect(await visitors.leadsOf(landingPage)).toMatchObject([{ consent: false, consentScope: 'sharing' }]);
  });
});
