import type { Account, LandingPage } from '@leadback/db';
import { givenAccount, givenLandingPage } from '@leadback/test-fixtures';
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { givenConsole, type SignedIn, type TestConsole } from '../../apps/console/test/given-console.ts';
import { givenBrowser } from '../support/given-browser.ts';
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
