import type { Page } from 'playwright-core';
import type { SignedIn, TestConsole } from '../../apps/console/test/given-console.ts';

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
