import type { LandingPage } from '@leadback/db';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { arriveAtShop, givenVisitors, offer, type Visitors } from '../support/given-visitors.ts';

describe('a landing page, on a screen', () => {
  let visitors: Visitors;
  let illustrated: LandingPage;
  let plain: LandingPage;
  // one for all looks: its process has compiled axe when it opens the next page
  let page: Page;
  beforeAll(async () => {
    visitors = await givenVisitors();
    illustrated = await visitors.givenIllustratedPage(offer);
    plain = await visitors.givenPage();
    ({ page } = await visitors.open());
  });
  afterAll(() => visitors[Symbol.asyncDispose]());

  it.each([
    ['phone', 320, 640, 'light'],
    ['phone', 320, 640, 'dark'],
    ['tablet', 768, 1024, 'light'],
    ['desktop', 1280, 800, 'light'],
    ['desktop', 1280, 800, 'dark'],
  ] as const)(
    'shows landing pages on a %s of %i by %i pixels in %s mode without layout or accessibility problems',
    async (device, width, height, colorScheme) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      for (const [name, landingPage] of Object.entries({ illustrated, plain })) {
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
