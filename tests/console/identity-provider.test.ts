import { givenAccount } from '@leadback/testing';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { SignedIn } from '../../apps/console/test/given-console.ts';
import { givenIdentityProvider } from '../../apps/console/test/given-identity-provider.ts';
import { axeFindings, leaveScreenshot, troublesOf } from '../support/given-browser.ts';
import { givenBuiltConsole, newPage, screens, signIn } from './given-screens.ts';

const withProvider = (page: Page) => page.getByRole('button', { name: 'Sign in with Acme ID' }).click();

describe('an identity provider of another site, in a browser', async () => {
  const { browser, console, provider } = await screens();
  let person: SignedIn;
  beforeEach(async () => {
    person = await console.person();
  });
  const open = async (path: string, options = {}, url = console.url): Promise<Page> => {
    const page = await newPage(browser, options);
    onTestFinished(() => page.context().close());
    await page.goto(url + path);
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
    const challenges = `select from sign_in_challenge where purpose in ('provider', 'provider-code')`;
    expect((await console.database.pool.query(challenges)).rowCount).toBe(0);
  });

  it('does not sign in a person who was not invited, in whose browser another way is one step away', async () => {
    provider.vouch({ sub: 'nobody here', email: 'nobody@example.com', email_verified: true, amr: ['mfa'] });
    const page = await open('/sign-in');
    await withProvider(page);
    await page.getByText('Your company’s sign-in did not work here.').waitFor();
    await page.getByRole('link', { name: 'Sign in another way' }).click();
    await page.getByLabel('Password').waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
  });

  it('is said to be unavailable beside the password, which still works', async () => {
    await using failing = await givenIdentityProvider();
    await using beside = await givenBuiltConsole({ provider: failing.options });
    failing.fail();
    const other = await beside.person();
    const page = await open('/sign-in', {}, beside.url);
    await withProvider(page);
    await page.getByText('Acme ID does not respond.').waitFor();
    await signIn(page, other);
    await page.getByRole('heading', { name: 'No account yet' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/accounts');
  });
});
