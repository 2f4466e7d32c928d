import { eventually, givenLandingPage, hiddenFieldsIn, hostileStrings, shared } from '@leadback/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { firstOf } from '../support/long-run.ts';
import { arriveAtShop, givenVisitors, offer } from '../support/given-visitors.ts';

const visitors = await shared(givenVisitors());

describe('a visitor with a browser', () => {
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

describe("landing's browser id, in a browser", () => {
  it("deletes landing's browser id when a visitor refuses consent, and keeps the one of the shop's pixel", async () => {
    const [withConsent, withoutConsent] = await Promise.all([
      visitors.givenPage({ consentText: 'I agree' }),
      visitors.givenPage({ consentText: null }),
    ]);
    await using window = await visitors.open();
    const { page } = window;
    const open = (landingPage: typeof withConsent) =>
      page.goto(visitors.urlOf(landingPage).replace('127.0.0.1', 'go.shop.localhost'));
    const ids = async () => String(await page.evaluate('document.cookie')).match(/(?<=_fbp=fb\.)\d/g);
    await open(withoutConsent);
    expect(await ids()).toEqual(['2']);
    const pixels = 'fb.1.1554763741205.2114433221';
    await page.evaluate(`document.cookie = '_fbp=${pixels}; domain=shop.localhost; path=/'`);
    await page.getByRole('button').click();
    await arriveAtShop(page);
    expect(await visitors.leadsOf(withoutConsent)).toMatchObject([{ clickParameters: { _fbp: pixels } }]);
    await open(withConsent);
    expect((await ids())?.toSorted()).toEqual(['1', '2']);
    await page.getByRole('button').click();
    await arriveAtShop(page);
    await open(withConsent);
    expect(await ids()).toEqual(['1']);
  });
});

const speculate = (kind: 'prefetch' | 'prerender') => (address: string) =>
  `{
  const rules = document.createElement('script');
  rules.type = 'speculationrules';
  rules.textContent = JSON.stringify({ ${kind}: [{ urls: [${JSON.stringify(address)}], eagerness: 'immediate' }] });
  document.head.append(rules);
}`;
const prefetchLink = (address: string) => `{
  const link = document.createElement('link');
  Object.assign(link, { rel: 'prefetch', href: ${JSON.stringify(address)} });
  document.head.append(link);
}`;
const embed = (element: string, address: string) => `{
  const element = document.createElement('${element}');
  element.src = ${JSON.stringify(address)};
  document.body.append(element);
}`;
const link = (address: string) => `{
  const link = document.createElement('a');
  Object.assign(link, { href: ${JSON.stringify(address)}, textContent: 'The offer' });
  document.body.prepend(link);
}`;
const toRise = (count: () => Promise<number>, before: number) =>
  eventually(async () => expect(await count()).toBeGreaterThan(before));

const counted = async (series: RegExp): Promise<number> =>
  Number(series.exec(await visitors.stack.metricsOf('landing'))?.[1] ?? 0);

const declined = () => counted(/^leadback_http_request_seconds_count\{[^}]*status="declined"[^}]*\} (\d+)/m);

const redirectedWithoutLead = () => counted(/^leadback_visits_total\{mode="direct",lead="none_bot",[^}]*\} (\d+)/m);

describe('a page in direct mode, in a browser', () => {
  it.each([
    ['a link that the shop prefetches', 'shop', prefetchLink],
    ['a prefetch by a page of the shop', 'shop', speculate('prefetch')],
    ['a prefetch by a page of the same origin', 'landing', speculate('prefetch')],
    ['a prerender by a page of the same origin', 'landing', speculate('prerender')],
  ])('gives the click on a direct page a lead reference after %s', async (_, from, fetchAhead) => {
    const direct = await visitors.givenPage({ mode: 'direct' });
    const address = visitors.urlOf(direct);
    // landing pages allow no scripts
    await using window = await visitors.open({ bypassCSP: true });
    const { page } = window;
    await page.goto(from === 'shop' ? visitors.shopUrl : visitors.urlOf(await visitors.givenPage()));
    const before = await declined();
    await page.evaluate(fetchAhead(address));
    await toRise(declined, before);
    expect(await visitors.leadsOf(direct)).toEqual([]);
    await page.evaluate(link(address));
    await page.getByRole('link', { name: 'The offer' }).click();
    await page.waitForURL(`${visitors.shopUrl}/offer?*`);
    const reference = await arriveAtShop(page);
    expect(await visitors.leadsOf(direct)).toMatchObject([{ reference, clickParameters: { gclid: 'G1' } }]);
  });

  it('records no lead if a direct page is requested as an image or in a frame', async () => {
    const direct = await visitors.givenPage({ mode: 'direct' });
    await using window = await visitors.open();
    await window.page.goto(visitors.shopUrl);
    for (const element of ['img', 'iframe']) {
      const before = await redirectedWithoutLead();
      await window.page.evaluate(embed(element, visitors.urlOf(direct)));
      await toRise(redirectedWithoutLead, before);
    }
    expect(await visitors.leadsOf(direct)).toEqual([]);
  });
});

describe('a landing page, on a screen', () => {
  // one for all looks: its process has compiled axe when it opens the next page
  let page: Page;
  beforeAll(async () => {
    ({ page } = await visitors.open());
  });
  afterAll(() => page.context().close());

  it.each(
    firstOf(2, [
      ['phone', 320, 640, 'light'],
      ['desktop', 1280, 800, 'dark'],
      ['desktop', 1280, 800, 'light'],
      ['tablet', 768, 1024, 'light'],
      ['phone', 320, 640, 'dark'],
    ] as const),
  )(
    'shows landing pages on a %s of %i by %i pixels in %s mode without layout or accessibility problems',
    async (device, width, height, colorScheme) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      const pages = { illustrated: await visitors.givenIllustratedPage(offer), plain: await visitors.givenPage() };
      for (const [name, landingPage] of Object.entries(pages)) {
        await page.context().clearCookies();
        const troubles = troublesOf(page, visitors.stack.landingUrl);
        await page.goto(visitors.urlOf(landingPage));
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
        expect((await page.getByRole('button').boundingBox())?.height).toBeGreaterThanOrEqual(44);
        expect(await page.evaluate('[...document.images].filter((one) => one.naturalWidth === 0).length')).toBe(0);
        expect(await axeFindings(page)).toEqual([]);
        expect(troubles).toEqual([]);
        await leaveScreenshot(page, `landing-${name}-${device}-${colorScheme}`);
      }
    },
  );

  it('shows a landing page after one request', async () => {
    const landingPage = await visitors.givenPage({ ...offer, hero: null });
    await using window = await visitors.open();
    const requests: string[] = [];
    window.page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await window.page.goto(visitors.urlOf(landingPage), { waitUntil: 'networkidle' });
    expect(requests).toEqual([`/${landingPage.slug}`]);
  });

  it.each([
    ['en', 'Continue', 'Enter your name.', 'Enter an email address, such as ana@example.com.'],
    ['es', 'Continuar', 'Falta tu nombre.', 'Falta un correo electrónico válido, por ejemplo ana@example.com.'],
    ['pt', 'Continuar', 'Informe seu nome.', 'Informe um e-mail válido, por exemplo ana@example.com.'],
  ] as const)(
    'names invalid fields in %s, moves the focus there and accepts the corrected form',
    async (language, button, missing, malformed) => {
      const landingPage = await visitors.givenPage({ language, askedFields: ['name', 'email', 'phone'] });
      await page.context().clearCookies();
      await page.setViewportSize({ width: 360, height: 740 });
      await page.emulateMedia({ colorScheme: null });
      await page.goto(visitors.urlOf(landingPage));
      await page.locator('#email').fill('nobody');
      await page.locator('#phone').fill('11 2345');
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('alert').waitFor();
      expect(await page.locator('#name-problem').textContent()).toBe(missing);
      expect(await page.locator('.problem:visible').allTextContents()).toEqual([missing, malformed]);
      expect(await page.evaluate('document.activeElement.id')).toBe('name');
      expect(await page.locator('#phone').inputValue()).toBe('11 2345');
      expect(await axeFindings(page)).toEqual([]);
      await leaveScreenshot(page, `landing-problems-${language}`);
      await page.locator('#name').fill('Ana');
      await page.getByRole('alert').getByRole('link', { name: malformed }).click();
      expect(await page.evaluate('document.activeElement.id')).toBe('email');
      await page.locator('#email').fill('ana@example.com');
      await page.getByRole('button', { name: button }).click();
      await arriveAtShop(page);
      expect(await visitors.leadsOf(landingPage)).toMatchObject([
        { name: 'Ana', email: 'ana@example.com', clickParameters: { gclid: 'G1' } },
      ]);
    },
  );
});

// only structure: the text of the page can be anything
const foreignParts = `[...document.querySelectorAll('*')].flatMap((element) => [
  ...(['HTML','HEAD','META','TITLE','STYLE','LINK','BODY','MAIN','DIV','H1','P','UL','LI','OL','EM','STRONG','BR','FORM',
       'LABEL','INPUT','BUTTON','A','IMG'].includes(element.tagName) ? [] : [element.outerHTML]),
  ...[...element.attributes].filter(({ name }) => name.startsWith('on') || name === 'srcdoc' || name === 'action').map(({ name }) => name),
])`;

/** Scripts that ran, requests to other hosts, and unexpected elements in the document. */
const harmsOf = async (page: Page, troubles: readonly string[]): Promise<unknown> => {
  await page.locator('button').hover();
  await page.evaluate(`for (const one of document.querySelectorAll('input,button,a')) { one.focus(); one.blur(); }`);
  return {
    found: await page.evaluate(`({ hit: typeof hit, forms: document.forms.length, foreign: ${foreignParts} })`),
    troubles: troubles.filter((trouble) => !/status of 422|data:,/.test(trouble)),
  };
};
const harmless = { found: { hit: 'undefined', forms: 1, foreign: [] }, troubles: [] };

const givenHostilePage = (hostile: string) => {
  // the operator's command line rejects what PostgreSQL cannot store
  const words = hostile.replaceAll('\0', '').toWellFormed();
  return givenLandingPage(visitors.stack.database.em(), {
    title: words,
    text: `${words}\n\n**${words}**\n\n- ${words}`,
    buttonLabel: words,
    consentText: words,
    askedFields: ['name', 'email', 'phone'],
    logo: { src: 'data:,', alt: words },
    hero: { src: 'data:,', alt: words },
  });
};

describe('a landing page with hostile content', () => {
  // the CSP is disabled: the document must be harmless without it
  it('escapes what operators and visitors entered, so that nothing runs without the CSP', async () => {
    await using window = await visitors.open({ bypassCSP: true });
    const context = window.page.context();
    const queue = [...hostileStrings];
    const windows = Array.from({ length: 4 }, async () => {
      // a process for each string would take longer than its pages
      const page = await context.newPage();
      const troubles = troublesOf(page, visitors.stack.landingUrl);
      const tryOut = async (hostile: string): Promise<void> => {
        const landingPage = await givenHostilePage(hostile);
        const query = new URLSearchParams({ gclid: hostile, utm_source: hostile, [hostile]: hostile });
        await page.goto(`${visitors.stack.landingUrl}/${landingPage.slug}?${query.toString()}`, {
          referer: `https://x.example/${encodeURIComponent(hostile.toWellFormed())}`,
        });
        expect([hostile, await harmsOf(page, troubles)]).toEqual([hostile, harmless]);
        const entered = { name: hostile, email: hostile, phone: ' ', referrer: hostile, token: hostile };
        await page.evaluate(`{
          const entered = ${JSON.stringify(entered)};
          for (const [name, value] of Object.entries(entered)) document.forms[0].elements[name].value = value;
          document.forms[0].submit();
        }`);
        await page.getByRole('alert').waitFor();
        expect([hostile, await harmsOf(page, troubles)]).toEqual([hostile, harmless]);
      };
      for (let hostile = queue.pop(); hostile !== undefined; hostile = queue.pop()) {
        await tryOut(hostile);
        troubles.length = 0;
      }
    });
    await Promise.all(windows);
  });

  it('blocks injected scripts, styles and frames by the CSP alone', async () => {
    const landingPage = await givenLandingPage(visitors.stack.database.em(), { consentText: 'I agree' });
    await using window = await visitors.open();
    const { page } = window;
    await page.goto(`${visitors.stack.landingUrl}/${landingPage.slug}`);
    await page.evaluate(`{
      window.refused = [];
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.push(effectiveDirective));
      const script = document.createElement('script');
      script.textContent = 'hit = true';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="https://evil.example/x.png" onerror="hit=true">' +
        '<style>h1{color:red}</style><iframe src="https://evil.example/"></iframe>');
    }`);
    await page.waitForFunction('refused.length >= 5');
    expect(await page.evaluate('[...new Set(refused)].sort()')).toEqual([
      'frame-src',
      'img-src',
      'script-src-attr',
      'script-src-elem',
      'style-src-elem',
    ]);
    expect(await page.evaluate('typeof hit')).toBe('undefined');
  });

  it('forbids other sites to frame a landing page', async () => {
    const landingPage = await givenLandingPage(visitors.stack.database.em());
    await using window = await visitors.open();
    const { page } = window;
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.setContent(`<iframe src="${visitors.stack.landingUrl}/${landingPage.slug}"></iframe>`);
    expect((await refused).type()).toBe('error');
  });
});
