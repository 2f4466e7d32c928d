import { givenLandingPage, hostileStrings } from '@leadback/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenBrowser, troublesOf } from '../support/given-browser.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';

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

describe('a landing page with hostile content', () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    stack = await givenStack();
    [browser] = await Promise.all([givenBrowser(), stack.start('landing')]);
  });
  afterAll(async () => {
    await browser.close();
    await stack[Symbol.asyncDispose]();
  });

  const givenHostilePage = (hostile: string) => {
    // the operator's command line rejects what PostgreSQL cannot store
    const words = hostile.replaceAll('\0', '').toWellFormed();
    return givenLandingPage(stack.database.em(), {
      title: words,
      text: `${words}\n\n**${words}**\n\n- ${words}`,
      buttonLabel: words,
      consentText: words,
      askedFields: ['name', 'email', 'phone'],
      logo: { src: 'data:,', alt: words },
      hero: { src: 'data:,', alt: words },
    });
  };
  // the CSP is disabled: the document must be harmless without it
  it('escapes what operators and visitors entered, so that nothing runs without the CSP', async () => {
    const context = await browser.newContext({ bypassCSP: true });
    const queue = [...hostileStrings];
    const windows = Array.from({ length: 4 }, async () => {
      // a process for each string would take longer than its pages
      const page = await context.newPage();
      const troubles = troublesOf(page, stack.landingUrl);
      const tryOut = async (hostile: string): Promise<void> => {
        const landingPage = await givenHostilePage(hostile);
        const query = new URLSearchParams({ gclid: hostile, utm_source: hostile, [hostile]: hostile });
        await page.goto(`${stack.landingUrl}/${landingPage.slug}?${query.toString()}`, {
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
    await context.close();
  });

  it('blocks injected scripts, styles and frames by the CSP alone', async () => {
    const landingPage = await givenLandingPage(stack.database.em(), { consentText: 'I agree' });
    const page = await browser.newPage();
    await page.goto(`${stack.landingUrl}/${landingPage.slug}`);
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
    await page.close();
  });

  it('forbids other sites to frame a landing page', async () => {
    const landingPage = await givenLandingPage(stack.database.em());
    const page = await browser.newPage();
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.setContent(`<iframe src="${stack.landingUrl}/${landingPage.slug}"></iframe>`);
    expect((await refused).type()).toBe('error');
    await page.close();
  });
});
