import { LandingImage, type LandingPage, Lead } from '@leadback/db';
import { givenLandingPage, givenServer, type TestServer, unique } from '@leadback/given';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { axeFindings, givenBrowser, leaveScreenshot, troublesOf } from '../rig/given-browser.ts';
import { givenStack, type TestStack } from '../rig/given-stack.ts';

type Content = NonNullable<Parameters<typeof givenLandingPage>[1]>;

const offer: Content = {
  title: 'Dos meses por el precio de uno',
  text: 'Zapatos hechos **a mano**, de cuero argentino.\n\n- envío *gratis* a todo el país\n- cambios durante 60 días\n- hasta 6 cuotas sin interés',
  buttonLabel: 'Quiero la oferta',
  language: 'es',
  accentColor: '#c2410c',
  askedFields: ['name', 'email', 'phone'],
  consentText: 'Acepto que mis datos se compartan con las plataformas donde vi el anuncio.',
  privacyUrl: 'https://shop.example/privacidad',
};

/** The reference that the shop was told of. */
const arrive = async (page: Page): Promise<string> => {
  await page.getByRole('heading', { name: 'The shop' }).waitFor();
  return new URL(page.url()).searchParams.get('serviceId') ?? '';
};

describe('a landing page, in a browser', () => {
  let stack: TestStack;
  let shop: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    stack = await givenStack();
    [shop, browser] = await Promise.all([
      givenServer((_request, response) => {
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title><h1>The shop</h1>');
      }),
      givenBrowser(),
      stack.start('landing'),
    ]);
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await shop[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
  });

  const givenPage = (content: Content = {}) =>
    givenLandingPage(stack.database.em(), { targetUrl: `${shop.url}/offer`, ...content });
  const addressOf = ({ slug }: LandingPage, query = 'gclid=G1') => `${stack.landingUrl}/${slug}?${query}`;
  const leadsOf = ({ id }: LandingPage) =>
    stack.database.em().find(Lead, { landingPage: id }, { orderBy: { id: 'asc' } });
  const open = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext(options);
    return { page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
  };
  /** A picture that was uploaded, drawn by the browser. */
  const givenImage = async (owner: LandingPage, width: number, height: number, background: string) => {
    await using drawing = await open({ viewport: { width, height } });
    await drawing.page.setContent(`<body style="margin:0;height:100vh;background:${background}">`);
    const em = stack.database.em();
    const name = `${unique('image')}.png`;
    em.create(LandingImage, {
      account: owner.account,
      name,
      mediaType: 'image/png',
      bytes: await drawing.page.screenshot(),
    });
    await em.flush();
    return { src: `/media/${name}`, alt: 'Zapatos', width, height };
  };
  const givenIllustratedPage = async (content: Content) => {
    const page = await givenPage();
    const hero = await givenImage(page, 1200, 900, 'radial-gradient(circle at 30% 30%,#fdba74,#c2410c 60%,#431407)');
    const logo = await givenImage(page, 240, 64, 'linear-gradient(90deg,#c2410c,#fb923c)');
    return givenPage({ ...content, hero, logo });
  };

  it.each([
    ['phone', 320, 640, 'light'],
    ['phone', 320, 640, 'dark'],
    ['tablet', 768, 1024, 'light'],
    ['desktop', 1280, 800, 'light'],
    ['desktop', 1280, 800, 'dark'],
  ] as const)('looks right on a %s of %i by %i, %s', async (device, width, height, colorScheme) => {
    const pages = {
      illustrated: await givenIllustratedPage(offer),
      plain: await givenPage(),
      asking: await givenPage(offer),
    };
    for (const [name, landingPage] of Object.entries(pages)) {
      await using window = await open({ viewport: { width, height }, colorScheme, bypassCSP: true });
      const { page } = window;
      const troubles = troublesOf(page, stack.landingUrl);
      await page.goto(addressOf(landingPage));
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect((await page.getByRole('button').boundingBox())?.height).toBeGreaterThanOrEqual(44);
      expect(await page.evaluate('[...document.images].filter((one) => one.naturalWidth === 0).length')).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      expect(troubles).toEqual([]);
      await leaveScreenshot(page, `landing-${name}-${device}-${colorScheme}`);
    }
  });

  it('is on screen after one request', async () => {
    const landingPage = await givenPage({ ...offer, hero: null });
    await using window = await open();
    const requests: string[] = [];
    window.page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await window.page.goto(addressOf(landingPage), { waitUntil: 'networkidle' });
    expect(requests).toEqual([`/${landingPage.slug}`]);
  });

  it.each([
    ['with', true],
    ['without', false],
  ])('carries a visitor to the shop %s JavaScript', async (_, javaScriptEnabled) => {
    const landingPage = await givenPage(offer);
    await using window = await open({
      javaScriptEnabled,
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = window;
    await page.goto(addressOf(landingPage, 'gclid=G1&utm_campaign=verano'), { referer: 'https://www.google.com/' });
    await page.getByLabel('Nombre').fill('Ana Pérez');
    await page.getByLabel('Correo electrónico').fill('ana@example.com');
    await page.getByLabel('Teléfono').fill('+54 11 2345-6789');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Quiero la oferta' }).tap();
    const reference = await arrive(page);
    expect(await leadsOf(landingPage)).toMatchObject([
      {
        reference,
        clickMarks: { gclid: 'G1', utm_campaign: 'verano' },
        name: 'Ana Pérez',
        email: 'ana@example.com',
        phone: '+54 11 2345-6789',
        consent: true,
        referrer: 'https://www.google.com/',
      },
    ]);
  });

  it('tells the shop where its visitor came from, but not by which click', async () => {
    const landingPage = await givenPage();
    await using window = await open();
    const told = Promise.withResolvers<string | undefined>();
    window.page.on('request', (request) => {
      if (request.url().startsWith(shop.url)) told.resolve(request.headers()['referer']);
    });
    await window.page.goto(addressOf(landingPage, 'gclid=G1'));
    await window.page.getByRole('button').click();
    expect(await told.promise).toBe(`${stack.landingUrl}/`);
  });

  it('can be used with the keyboard alone', async () => {
    const landingPage = await givenPage(offer);
    await using window = await open();
    const { page } = window;
    await page.goto(addressOf(landingPage));
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
    await arrive(page);
    expect(await leadsOf(landingPage)).toMatchObject([{ name: 'Ana', phone: '11 2345-6789', consent: true }]);
  });

  it.each([
    ['en', 'Continue', 'Enter your name.', 'Enter an e-mail address, such as ana@example.com.'],
    ['es', 'Continuar', 'Falta tu nombre.', 'Falta un correo electrónico, por ejemplo ana@example.com.'],
    ['pt', 'Continuar', 'Informe o seu nome.', 'Informe um e-mail, por exemplo ana@example.com.'],
  ] as const)(
    'says in %s what to mend, where it is, and lets it be mended',
    async (language, button, missing, malformed) => {
      const landingPage = await givenPage({ language, askedFields: ['name', 'email', 'phone'] });
      await using window = await open({ bypassCSP: true, viewport: { width: 360, height: 740 } });
      const { page } = window;
      await page.goto(addressOf(landingPage));
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
      await arrive(page);
      expect(await leadsOf(landingPage)).toMatchObject([
        { name: 'Ana', email: 'ana@example.com', clickMarks: { gclid: 'G1' } },
      ]);
    },
  );

  it('makes one lead of a double click', async () => {
    const landingPage = await givenPage();
    await using window = await open();
    const { page } = window;
    await page.goto(addressOf(landingPage));
    await page.getByRole('button').dblclick();
    const reference = await arrive(page);
    expect(await leadsOf(landingPage)).toMatchObject([{ reference }]);
  });

  it('lets a visitor come back and go on again', async () => {
    const landingPage = await givenPage({ askedFields: ['email'] });
    await using window = await open();
    const { page } = window;
    await page.goto(addressOf(landingPage));
    await page.getByRole('textbox').fill('ana@exampel.com');
    await page.getByRole('button').click();
    const first = await arrive(page);
    await page.goBack();
    await page.getByRole('textbox').fill('ana@example.com');
    await page.getByRole('button').click();
    const second = await arrive(page);
    expect(await leadsOf(landingPage)).toMatchObject([
      { reference: first, email: 'ana@exampel.com' },
      { reference: second, email: 'ana@example.com', clickMarks: { gclid: 'G1' } },
    ]);
  });

  it('knows the click of a visitor who returns without it', async () => {
    const landingPage = await givenPage();
    await using window = await open();
    const { page } = window;
    await page.goto(addressOf(landingPage, 'fbclid=F1'));
    await page.goto(addressOf(landingPage, 'utm_source=newsletter'));
    await page.getByRole('button').click();
    await arrive(page);
    expect(await leadsOf(landingPage)).toMatchObject([
      { clickMarks: { fbclid: 'F1', utm_source: 'newsletter' }, clickedAt: expect.any(Date) },
    ]);
  });

  it('makes no lead when a browser prefetches it', async () => {
    const direct = await givenPage({ mode: 'direct' });
    await using window = await open();
    const { page } = window;
    await page.goto(shop.url);
    await page.evaluate(`{
      const link = document.createElement('link');
      Object.assign(link, { rel: 'prefetch', href: ${JSON.stringify(addressOf(direct))} });
      document.head.append(link);
    }`);
    const sentOn = /leadback_visits_total\{mode="direct",lead="none: bot",[^}]*\} 1/;
    await vi.waitFor(async () => expect(await stack.metricsOf('landing')).toMatch(sentOn), { timeout: 10_000 });
    expect(await leadsOf(direct)).toEqual([]);
    await page.goto(addressOf(direct));
    const reference = await arrive(page);
    await vi.waitFor(async () => expect(await leadsOf(direct)).toMatchObject([{ reference }]));
  });
});
