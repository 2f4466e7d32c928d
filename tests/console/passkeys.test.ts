import { shared } from '@leadback/testing';
import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SignedIn } from '../../apps/console/test/given-console.ts';
import { troublesOf } from '../support/given-browser.ts';
import { givenBuiltConsole, makeOld, newPage, screens, signIn as fillIn } from './given-screens.ts';

/** An authenticator of the browser's own, such as a fingerprint reader, that always says yes. */
const givenVirtualAuthenticator = async (page: Page): Promise<CDPSession> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return devtools;
};

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
};
const withPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' }).click();

describe('passkeys, from the browser to PostgreSQL', async () => {
  const { browser } = await screens();
  // without accounts: people who sign in read that there is none yet
  const console = await shared(givenBuiltConsole());
  const openPage = async () => {
    const page = await newPage(browser);
    onTestFinished(() => page.context().close());
    return page;
  };

  const signIn = async (page: Page, person: SignedIn) => {
    await page.goto(`${console.url}/sign-in`);
    await fillIn(page, person);
    await page.getByRole('heading', { name: 'No account yet' }).waitFor();
  };
  const security = async (page: Page) => {
    await page.goto(`${console.url}/security`);
    await page.getByRole('heading', { name: 'Security' }).waitFor();
  };
  it('a person adds a passkey, signs in and confirms with it, renames it, and removes it', async () => {
    const person = await console.person();
    const page = await openPage();
    const troubles = troublesOf(page, console.url);
    await givenVirtualAuthenticator(page);
    await signIn(page, person);

    await security(page);
    await page.getByText('No passkey yet').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText(/^Passkey added: Chrome · Linux/).waitFor();

    await signOut(page);
    await withPasskey(page);
    await page.getByRole('heading', { name: 'No account yet' }).waitFor();

    await makeOld(console, person);
    await security(page);
    await page.getByRole('button', { name: 'Rename Chrome · Linux' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('My laptop');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await page.getByRole('button', { name: 'Remove My laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Passkey removed: My laptop').waitFor();
    await page.getByText('No passkey yet').waitFor();

    await signOut(page);
    // the browser itself reports the request that needed the second factor
    expect(troubles).toEqual([expect.stringContaining('403 (Forbidden)')]);
    await withPasskey(page);
    await page.getByText('This passkey is unknown or was removed.').waitFor();
  });

  it('what a browser has sent once cannot be sent again', async () => {
    const page = await openPage();
    await givenVirtualAuthenticator(page);
    await signIn(page, await console.person());
    await security(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText(/^Passkey added/).waitFor();
    await signOut(page);
    const sending = page.waitForRequest((request) => request.url().endsWith('/api/session/passkey'));
    await withPasskey(page);
    const sent: unknown = (await sending).postDataJSON();
    await page.getByRole('heading', { name: 'No account yet' }).waitFor();
    const replayed = await console.browser().post('/api/session/passkey', sent);
    expect([replayed.status, replayed.headers.get('leadback-error')]).toEqual([403, 'passkey-refused']);
  });

  it('a person who closes the dialog of the browser reads what happened, and signs in by password', async () => {
    const person = await console.person();
    const page = await openPage();
    await givenVirtualAuthenticator(page);
    await page.goto(`${console.url}/sign-in`);
    await withPasskey(page);
    await page.getByText('No passkey was used.').waitFor();
    await signIn(page, person);
    expect(new URL(page.url()).pathname).toBe('/accounts');
  });

  it('a person reads of wrong codes with the right password after signing in, and once', async () => {
    const person = await console.person();
    const { email, password } = person;
    await console.browser().post('/api/session/sign-in', { email, password, code: '000000' });
    const page = await openPage();
    const troubles = troublesOf(page, console.url);
    await signIn(page, person);
    await security(page);
    const notice = page.getByText(/^Somebody who knew your password gave wrong codes \(1\) since /);
    await notice.waitFor();
    await page.getByRole('button', { name: 'I have read this' }).click();
    await notice.waitFor({ state: 'detached' });
    await security(page);
    expect(await notice.count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  it('a person ends the other sessions and changes the password', async () => {
    const person = await console.person();
    const page = await openPage();
    const troubles = troublesOf(page, console.url);
    await signIn(page, person);
    await security(page);
    await page.getByText('This session').waitFor();
    await page.getByRole('button', { name: 'End the session Unknown device' }).click();
    await page.getByText('The session has ended.').waitFor();
    expect((await person.get('/api/security')).status).toBe(401);

    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('a sentence that only Ana knows');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The current password is wrong.').waitFor();
    // the browser itself reports the refusal
    troubles.splice(0);
    await page.getByLabel('Current password').fill(person.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed.').waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('');
    expect(troubles).toEqual([]);
  });
});
