import type { Browser, Page } from 'playwright-core';
import type { TestConsole } from '../../apps/console/test/given-console.ts';

/** A page of somebody who is signed in. Default: an admin. */
export const signedInPage = async (
  browser: Browser,
  console: TestConsole,
  invited: Parameters<TestConsole['person']>[0] = {},
): Promise<Page> => {
  const person = await console.person(invited);
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${console.url}/sign-in`);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByLabel('Code').fill(person.code());
  await page.keyboard.press('Enter');
  // an admin sees all accounts, or none yet
  await page.waitForURL((url) => url.pathname !== '/sign-in');
  return page;
};
