import { givenAccount } from '@leadback/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { givenConsole, type SignedIn, type TestConsole } from '../../apps/console/test/given-console.ts';
import { givenIdentityProvider, type IdentityProvider } from '../../apps/console/test/given-identity-provider.ts';
import { axeFindings, givenBrowser, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { builtWeb } from './built-web.ts';

const withProvider = (page: Page) => page.getByRole('button', { name: 'Sign in with Acme ID' }).click();

// the provider is at 127.0.0.1: another site, from which no strict cookie is sent
describe('an identity provider of another site, in a browser', () => {
  let provider: IdentityProvider;
  let console: TestConsole;
  let browser: Browser;
  let person: SignedIn;
  let webFolder: string;
  beforeAll(async () => {
    [browser, provider] = await Promise.all([givenBrowser(), givenIdentityProvider()]);
    webFolder = await builtWeb();
    console = await givenConsole({ webFolder, host: 'localhost', provider: provider.options });
  });
  afterAll(async () => {
    await browser.close();
    for (const one of [console, provider]) await one[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    person = await console.person();
  });
  const open = async (path: string, options = {}): Promise<Page> => {
    const page = await browser.newPage({ locale: 'en-US', ...options });
    await page.goto(console.url + path);
    return page;
  };

  it('signs a person in, who arrives at the screen that was asked for', async () => {
    const { id } = await givenAccount(console.database.em());
    const sub = `person ${person.personId}`;
    await console.database.pool.query('insert into person_identity (person_id, issuer, subject) values ($1, $2, $3)', [
      person.personId,
      provider.options.issuer,
      sub,
    ]);
    provider.vouch({ sub, email: person.email, email_verified: true, amr: ['mfa'] });
    const page = await open(`/a/${id}/deliveries?state=failed`);
    const troubles = troublesOf(page, console.url);
    await withProvider(page);
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
    expect(page.url()).toBe(`${console.url}/a/${id}/deliveries?state=failed`);
    expect(troubles.filter((trouble) => !trouble.startsWith(`${provider.options.issuer}/authorize`))).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
    await page.close();
  });

  it('leaves the second factor to the console if it has checked none', async () => {
    provider.vouch({ sub: `person ${person.personId}`, email: person.email, email_verified: true });
    const page = await open('/sign-in', { viewport: { width: 360, height: 800 } });
    await withProvider(page);
    await page.getByRole('heading', { name: 'Enter a code' }).waitFor();
    await page.getByLabel('Code').fill('000000');
    await page.keyboard.press('Enter');
    await page.getByText('The code is wrong or was used before.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await leaveScreenshot(page, 'console-provider-code');
    await page.getByLabel('Code').fill(person.code());
    await page.keyboard.press('Enter');
    await page.getByText('Acme ID').waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.pathname !== '/sign-in/provider');
    await page.goto(`${console.url}/security`);
    await page.getByText(`How you sign in as ${person.email}`).waitFor();
    expect((await console.database.pool.query('select 1 from sign_in_challenge')).rowCount).toBe(0);
    await page.close();
  });

  it('does not sign in a person who was not invited, in whose browser another way is one step away', async () => {
    provider.vouch({ sub: 'nobody here', email: 'nobody@example.com', email_verified: true, amr: ['mfa'] });
    const page = await open('/sign-in');
    await withProvider(page);
    await page.getByText('Your company’s sign-in did not work here.').waitFor();
    await page.getByRole('link', { name: 'Sign in another way' }).click();
    await page.getByLabel('Password').waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await page.close();
  });

  it('is said to be unavailable beside the password, which still works', async () => {
    await using failing = await givenIdentityProvider();
    await using beside = await givenConsole({ webFolder, host: 'localhost', provider: failing.options });
    failing.fail();
    const other = await beside.person();
    const page = await browser.newPage({ locale: 'en-US' });
    await page.goto(`${beside.url}/sign-in`);
    await withProvider(page);
    await page.getByText('Acme ID does not respond.').waitFor();
    await page.getByLabel('Email').fill(other.email);
    await page.getByLabel('Password').fill(other.password);
    await page.getByLabel('Code').fill(other.code());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'No account yet' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/accounts');
    await page.close();
  });
});
