import { importWorker, itemRegistrars, reconciliationWorker } from '@leadback/intake';
import { repeat } from '@leadback/runtime';
import { leadReferenceKeys } from '@leadback/secrets';
import { givenContacts, secretsKeys } from '@leadback/test-fixtures';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { SignedIn, TestConsole } from '../../apps/console/test/given-console.ts';
import { troublesOf } from '../support/given-browser.ts';

/** Works on files in the background, as an api does. */
export const givenFileWorker = ({ database: { pool } }: TestConsole): AsyncDisposable => {
  const nextImport = importWorker(pool, itemRegistrars(leadReferenceKeys(secretsKeys), givenContacts()));
  const nextSlice = reconciliationWorker(pool, { contacts: givenContacts(), onRegistered: () => {} });
  return repeat({
    everyMs: 50,
    round: async () => ((await nextImport()) ?? (await nextSlice())) !== undefined,
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
