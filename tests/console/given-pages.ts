import type { Account, LandingPage } from '@leadback/db';
import { itemRegistrars, workOnNextImport } from '@leadback/core/imports/work';
import { workOnNextReconciliation } from '@leadback/core/reconciliation/work';
import { repeat } from '@leadback/server/app';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { givenAccount, givenContacts, givenLandingPage, secretsKeys } from '@leadback/testing';
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { givenConsole, type SignedIn, type TestConsole } from '../../apps/console/test/given-console.ts';
import { givenBrowser, troublesOf } from '../support/given-browser.ts';
import { builtWeb } from './built-web.ts';

export interface PagesScreens extends AsyncDisposable {
  readonly console: TestConsole;
  readonly operator: SignedIn;
  givenAccount(): Promise<Account>;
  givenPage(account: Account, options?: Partial<Parameters<typeof givenLandingPage>[1]>): Promise<LandingPage>;
  /** A page of the browser on which this person is signed in. Closing its context closes it. */
  openAs(person: SignedIn, options?: BrowserContextOptions): Promise<Page>;
}

/** The built console on its real server, and a browser for it. */
export const givenPagesScreens = async (): Promise<PagesScreens> => {
  const [browser, console]: [Browser, TestConsole] = await Promise.all([
    givenBrowser(),
    builtWeb().then((webFolder) => givenConsole({ webFolder })),
  ]);
  return {
    console,
    operator: await console.person({ role: 'operator' }),
    givenAccount: () => givenAccount(console.database.em()),
    givenPage: (account, options = {}) => givenLandingPage(console.database.em(), { account, ...options }),
    async openAs(person, options = {}) {
      const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 }, ...options });
      const url = console.url.replace('http:', 'https:');
      await context.addCookies([{ name: '__Host-leadback', value: person.cookie(), url, secure: true }]);
      return context.newPage();
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await console[Symbol.asyncDispose]();
    },
  };
};

/** The preview that is visible, in the editor of a page. */
export const previewIn = (page: Page): FrameLocator => page.frameLocator('iframe:not([data-loading="true"])');

export const savePage = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();

/** Works on files in the background, as an api does. */
export const givenFileWorker = ({ database: { pool } }: TestConsole): AsyncDisposable => {
  const register = itemRegistrars(leadReferenceKeys(secretsKeys), givenContacts());
  return repeat({
    everyMs: 50,
    round: async () =>
      ((await workOnNextImport(pool, register)) ?? (await workOnNextReconciliation(pool, givenContacts()))) !==
      undefined,
    onFailure: () => {},
  });
};

/** A page of somebody who is signed in. */
export const givenPage = async (
  browser: Browser,
  { url: consoleUrl }: TestConsole,
  person: SignedIn,
  options: BrowserContextOptions = {},
) => {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
  // secure cookies belong to https; the browser sends them to its own machine without it as well
  const url = consoleUrl.replace('http:', 'https:');
  await context.addCookies([{ name: '__Host-leadback', value: person.cookie(), url, sameSite: 'Strict' }]);
  const page = await context.newPage();
  return {
    page,
    troubles: troublesOf(page, consoleUrl),
    choose: (name: string, text: string) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) }),
    [Symbol.asyncDispose]: () => context.close(),
  };
};

/** Gives a page the session of somebody, and leaves nothing of the one before: what it opens next is of this person. */
export const enterSession = async (page: Page, console: TestConsole, person: SignedIn): Promise<void> => {
  // no screen asks the server in between; another site would get another process
  await page.goto(`${console.url}/favicon.svg`);
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  const context = page.context();
  await context.clearCookies();
  // a secure cookie belongs to https; browsers send it to their own machine without it as well
  const url = console.url.replace('http:', 'https:');
  await context.addCookies([
    { name: '__Host-leadback', value: person.cookie(), url, secure: true, sameSite: 'Strict' },
  ]);
};
