import { hashApiKey } from '@leadback/domain/keys';
import { givenAccount } from '@leadback/testing';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import type { SignedIn } from '../../apps/console/test/given-console.ts';
import { axeFindings, troublesOf } from '../support/given-browser.ts';
import { enterSession, givenBuiltConsole, makeOld, newPage, screens } from './given-screens.ts';

const password = 'a sentence that only Ana knows';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** Chooses a password and sets up the second factor. */
const accept = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.getByLabel('Choose a password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = (await page.getByRole('main').locator('code').textContent()) ?? '';
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
  await page.getByLabel('Code', { exact: true }).fill(totp.generate());
  await page.keyboard.press('Enter');
};

describe('who administers the console, from the browser to PostgreSQL', async () => {
  const { browser, console } = await screens();
  // one for all tests: its process has compiled the console when it opens the next screen
  const page = await newPage(browser);
  afterAll(() => page.context().close());
  const enter = (person: SignedIn, within = page) => enterSession(within, console, person);

  it('an invited admin creates the first account, issues its first key, which is shown once, and invites a partner', async () => {
    await using empty = await givenBuiltConsole();
    const { token } = await empty.invite({ role: 'admin' });
    const troubles = troublesOf(page, empty.url);
    await accept(page, `${empty.url}/invitation#${token}`);

    await heading(page, 'No account yet').waitFor();
    expect(await page.getByRole('link', { name: 'Overview' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Zapatos');
    await page.keyboard.press('Enter');

    await heading(page, 'Until the first sale').waitFor();
    await page.getByRole('button', { name: 'Account: Zapatos' }).waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await heading(page, 'No API key yet').waitFor();
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Shop, staging');
    await page.getByRole('button', { name: 'Issue key' }).click();
    const key = (await page.getByLabel('API key', { exact: true }).textContent()) ?? '';
    await page.getByText(`curl https://api.example/api/v1/ -H 'x-api-key: ${key}'`).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row').filter({ hasText: 'Shop, staging' }).getByText('Test', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
    const { rowCount } = await empty.database.pool.query(
      'select from api_key where key_hash = $1 and is_test and issued_by is not null',
      [hashApiKey(key)],
    );
    expect(rowCount).toBe(1);

    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByLabel('Email', { exact: true }).fill('bo@zapatos.example');
    await page.getByLabel('Role', { exact: true }).selectOption('Partner viewer');
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('Choose at least one account.').waitFor();
    await page.getByRole('checkbox', { name: 'Zapatos' }).check();
    await page.getByRole('button', { name: 'Create the link' }).click();
    const link = (await page.getByLabel('Invitation link', { exact: true }).textContent()) ?? '';
    await page.getByRole('button', { name: 'I have sent it' }).click();
    await page.getByRole('row').filter({ hasText: 'bo@zapatos.example' }).getByText('Invited').waitFor();

    const partner = await newPage(browser);
    await accept(partner, link);
    await heading(partner, 'Overview').waitFor();
    await partner.getByRole('link', { name: 'API keys' }).click();
    await partner.getByText('Your role may see keys, but not issue or revoke them.').waitFor();
    expect(await partner.getByRole('link', { name: 'People' }).count()).toBe(0);
    expect(await partner.getByRole('button', { name: /^(Issue|Revoke)/ }).count()).toBe(0);

    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('button', { name: 'Issued an API key' }).waitFor();
    await page.getByRole('link', { name: 'All accounts' }).click();
    await page.getByRole('row').filter({ hasText: 'Invited the person' }).first().waitFor();
    expect(troubles).toEqual([]);
    await partner.context().close();
  });

  it('a wrong second factor issues no key; the right one issues it, with what was typed before', async () => {
    const { id } = await givenAccount(console.database.em());
    const person = await console.person({ role: 'partner-admin', accounts: [id] });
    await enter(person);
    await makeOld(console, person);
    await page.goto(`${console.url}/a/${id}/keys`);
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await page.getByLabel('Mode').selectOption('Live');
    await page.getByRole('button', { name: 'Issue key' }).click();
    await heading(page, 'Confirm that it is you').waitFor();
    const code = page.getByLabel('Code of your authenticator app');
    await code.fill('000000');
    await page.keyboard.press('Enter');
    await page.getByText('The code is wrong. Check that the clock').waitFor();
    const count = async () =>
      (await console.database.pool.query('select from api_key where account_id = $1', [id])).rowCount;
    expect(await count()).toBe(0);
    await code.fill(person.code());
    await page.keyboard.press('Enter');
    await heading(page, 'Copy the key now').waitFor();
    expect(await count()).toBe(1);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row').filter({ hasText: 'Shop' }).getByText('Live', { exact: true }).waitFor();
  });

  it('a key is revoked only when its name is typed, and says when it was last used', async () => {
    const { id } = await givenAccount(console.database.em());
    const person = await console.person({ role: 'operator' });
    await person.post(`/api/accounts/${id}/keys`, { name: 'Shop', isTest: false, scopes: ['read', 'register'] });
    await console.database.pool.query(
      `update api_key set last_used_at = now() - interval '3 hours 5 minutes' where account_id = $1`,
      [id],
    );
    await enter(person);
    await page.goto(`${console.url}/a/${id}/keys`);
    await page.getByRole('button', { name: 'Revoke Shop' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Last used: 3 hours ago').waitFor();
    const confirm = page.getByRole('button', { name: 'Revoke key' });
    await page.keyboard.type('Sho');
    expect(await confirm.isDisabled()).toBe(true);
    await page.keyboard.type('p');
    await page.keyboard.press('Enter');
    await page.getByText('Shop is revoked.').waitFor();
    await page.getByRole('row').filter({ hasText: 'Shop' }).getByText('Revoked').waitFor();
    expect(await page.getByRole('button', { name: 'Revoke Shop' }).count()).toBe(0);
  });

  it('a role that is withdrawn ends in mid-session: the person signs in again, and may no longer do it', async () => {
    const { id, name } = await givenAccount(console.database.em());
    const [admin, operator] = [await console.person(), await console.person({ role: 'operator' })];
    await enter(operator);
    await page.goto(`${console.url}/accounts`);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Medias');

    const of = await newPage(browser);
    await enter(admin, of);
    await of.goto(`${console.url}/people?find=${operator.email}`);
    await of.getByRole('button', { name: `Actions for ${operator.email}` }).click();
    await of.getByRole('button', { name: 'Change role and accounts…' }).click();
    await of.getByLabel('Role', { exact: true }).selectOption('Marketer');
    await of.getByRole('checkbox', { name }).check();
    await of.getByRole('button', { name: 'Save' }).click();
    await of.getByText(`${operator.email}: saved.`).waitFor();

    await page.keyboard.press('Enter');
    await heading(page, 'You are signed out').waitFor();
    await page.getByLabel('Password').fill(operator.password);
    await page.getByLabel('Code').fill(operator.code());
    await page.keyboard.press('Enter');
    await heading(page, 'You are signed out').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Medias');
    await page.getByRole('button', { name: 'Create and go on' }).click();
    await page.getByText('Your role does not have this. Ask an administrator for it.').first().waitFor();
    const { rowCount } = await console.database.pool.query(`select from account where name = 'Medias'`);
    expect(rowCount).toBe(0);
    await page.goto(`${console.url}/a/${id}/overview`);
    await heading(page, 'Overview').waitFor();
    expect(await page.getByRole('link', { name: 'Accounts' }).count()).toBe(0);
    await of.context().close();
  });

  it('a person is disabled when the email is typed, and enabled by a new link', async () => {
    const [admin, other] = [await console.person(), await console.person({ role: 'operator' })];
    await enter(admin);
    await page.goto(`${console.url}/people`);
    await page.keyboard.press('/');
    await page.keyboard.type(other.email);
    await page.getByRole('row').nth(1).waitFor();
    await page.getByRole('button', { name: `Actions for ${other.email}` }).click();
    await page.getByRole('button', { name: 'Disable…' }).click();
    await page.getByLabel(`To confirm, type ${other.email}`).fill(other.email);
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByRole('row').filter({ hasText: other.email }).getByText('Disabled').waitFor();
    expect((await other.get('/api/accounts')).status).toBe(401);
    await page.getByRole('button', { name: `Actions for ${other.email}` }).click();
    await page.getByRole('button', { name: 'Enable again…' }).click();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByRole('button', { name: 'I have sent it' }).click();
    await page.getByRole('row').filter({ hasText: other.email }).getByText('Disabled').waitFor();
    await console.person({ role: 'operator', email: other.email });
    await page.reload();
    await page.getByRole('row').filter({ hasText: other.email }).getByText('Active').waitFor();

    await page.getByLabel('Find by email').fill(admin.email);
    await page.getByRole('button', { name: `Actions for ${admin.email}` }).click();
    await page.getByRole('button', { name: 'Send a new link…' }).waitFor();
    expect(await page.getByRole('button', { name: /^(Disable|Change role)/ }).count()).toBe(0);
  });

  it('an account is suspended when its name is typed, and activated again; the audit log shows both', async () => {
    const { id, name } = await givenAccount(console.database.em());
    await enter(await console.person({ role: 'operator' }));
    const troubles = troublesOf(page, console.url);
    await page.goto(`${console.url}/accounts?find=${name}`);
    const act = async (action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('button', { name: action }).click();
    };
    await act('Suspend…');
    await page.getByText('Pending deliveries are still sent').waitFor();
    await page.getByLabel(`To confirm, type ${name}`).fill(name);
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByText(`${name} is suspended.`).waitFor();
    await act('Change…');
    await page.getByLabel('Country').fill('uy');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: name }).getByText('UY').waitFor();
    await act('Activate again');
    await page.getByText(`${name} is active again.`).waitFor();

    await page.goto(`${console.url}/a/${id}/audit`);
    await page.getByRole('button', { name: 'Activated the account again' }).waitFor();
    const change = page.getByRole('row').filter({ hasText: 'Changed the account' });
    expect((await change.locator('dd').first().textContent())?.trim()).toBe('before AR → after UY');
    await page.getByRole('button', { name: 'Suspended the account' }).click();
    await page.getByRole('button', { name: 'Remove filter: Action: Suspended the account' }).waitFor();
    await change.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?action=account.suspend');
    await page
      .getByRole('row')
      .nth(1)
      .getByRole('link', { name: `account ${id}` })
      .click();
    await heading(page, 'Overview').waitFor();
    expect(troubles).toEqual([]);
  });

  it('axe finds nothing on a screen with the data of a real server', async () => {
    await enter(await console.person());
    for (const path of ['people', 'accounts', 'audit']) {
      await page.goto(`${console.url}/${path}`);
      await page.getByRole('row').nth(1).waitFor();
      expect([path, await axeFindings(page)]).toEqual([path, []]);
    }
  });
});
