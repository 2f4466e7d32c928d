import { randomBytes } from 'node:crypto';
import { openDatabase } from '@leadback/db';
import { choosePassword, readInvitation } from '@leadback/core/people/invitations';
import { secondFactorKeys } from '@leadback/core/people/sign-in';
import { platformRegistry } from '@leadback/platforms';
import { givenAccount, givenDatabase, givenDelivery, secretsKey, secretsKeys, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commands } from '../src/commands/index.ts';
import { givenTerminal } from './given-operator.ts';

const idSchema = z.object({ id: z.number() });
const invitedSchema = idSchema.extend({ url: z.string() });
const entriesSchema = z.array(z.object({ actor: z.string(), action: z.string(), target: z.string() }));

const tokenOf = ({ url }: { readonly url: string }) => new URL(url).hash.slice(1);

describe('the people of the console', async () => {
  const database = await shared(givenDatabase());
  const console = await shared(openDatabase({ url: database.url, applicationName: 'test' }));

  const run = async (
    name: string,
    input: Readonly<Record<string, unknown>> = {},
    own = console,
    keys = secretsKeys,
  ) => {
    const command = commands.find((one) => one.name === name);
    if (!command) throw new Error(`there is no command ${name}`);
    const { result } = await command.run(input, {
      ...givenTerminal(),
      em: own.em(),
      pool: own.pool,
      actor: 'operator ana',
      progress: () => {},
      progressBar: () => {},
      secretsKeys: keys,
      amqpUrl: undefined,
      landingUrl: 'https://go.example',
      consoleUrl: 'https://console.example',
      backupsKeptDays: 30,
      databaseUrl: database.url,
      platforms: platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' }),
    });
    return result;
  };
  const idOf = async (name: string, input: Readonly<Record<string, unknown>>) =>
    idSchema.parse(await run(name, input)).id;
  const givenAccountId = async () => (await givenAccount(database.em())).id;
  const audited = async (account: number) => entriesSchema.parse(await run('audit list', { account }));

  it('are invited by a link of the console, listed and disabled', async () => {
    const accounts = [await givenAccountId(), await givenAccountId()];
    const wanted = { email: 'Ana@Example.com', role: 'marketer', account: accounts.map(String) };
    const invited = invitedSchema.parse(await run('user invite', wanted));
    expect(invited.url).toMatch(/^https:\/\/console\.example\/invitation#[A-Za-z0-9_-]{43}$/);
    expect(await readInvitation(console.em(), tokenOf(invited))).toMatchObject({ email: 'ana@example.com' });
    const listed = { id: invited.id, email: 'ana@example.com', role: 'marketer', accounts };
    expect(await run('user list')).toContainEqual(expect.objectContaining({ ...listed, state: 'invited' }));
    expect(await run('user sign-out', { id: invited.id })).toEqual({
      id: invited.id,
      email: 'ana@example.com',
      ended: 0,
    });
    expect(await run('user disable', { id: invited.id })).toMatchObject({ state: 'disabled' });
    expect(await run('user list')).toContainEqual(expect.objectContaining({ ...listed, state: 'disabled' }));
    expect(await readInvitation(console.em(), tokenOf(invited))).toBeUndefined();
    await expect(run('user disable', { id: 999_999 })).rejects.toThrow('there is no user 999999');
  });

  it.each([
    [{ role: 'partner-admin' }, 'partner-admin sees only the accounts that --account names'],
    [{ role: 'admin', account: ['1'] }, 'admin sees all accounts; leave --account out'],
    [{ role: 'marketer', account: ['999999'] }, 'there is no account 999999'],
    [{ role: 'admin', email: 'bo' }, 'expected an email address'],
    [{ role: 'boss' }, 'expected admin or operator or'],
  ])('are not invited with %j', async (wanted, message) => {
    await expect(run('user invite', { email: 'bo@example.com', ...wanted })).rejects.toThrow(message);
    expect(JSON.stringify(await run('user list'))).not.toContain('bo@');
  });

  it('are out of reach of the roles of the other apps', async () => {
    for (const app of ['landing', 'api', 'feedback-worker'] as const) {
      await using other = await openDatabase({ url: database.urlOf(app), applicationName: 'test' });
      for (const name of ['user list', 'audit list']) {
        await expect(run(name, {}, other)).rejects.toMatchObject({ code: '42501' });
      }
    }
  });

  it('keep their second factor when the secrets are rotated', async () => {
    const invited = invitedSchema.parse(await run('user invite', { email: 'cleo@example.com', role: 'admin' }));
    const chosen = { token: tokenOf(invited), password: 'long enough a password' };
    await choosePassword(console.em(), secondFactorKeys(secretsKeys), chosen);
    const fresh = randomBytes(32);
    const rotate = (...keys: Buffer[]) => run('secrets rotate', {}, console, [fresh, ...keys]);
    expect(await rotate(secretsKey)).toMatchObject({ secondFactors: 1 });
    expect(await rotate()).toMatchObject({ secondFactors: 0 });
    await expect(run('secrets rotate')).rejects.toThrow('cannot decrypt the second factor of cleo@example.com');
  });

  it('are in the audit log with what they change at the command line', async () => {
    const account = await idOf('account create', { name: 'Zapatos' });
    const key = await idOf('key issue', { account, name: 'backend' });
    const page = await idOf('page create', { account, slug: 'audited', target: 'https://zapatos.example' });
    const meta = { platform: 'meta', pixelId: '12', accessToken: 'EAAB', fromArgvIKnow: true };
    const connection = await idOf('connection create', { account, ...meta });
    await run('account change', { id: account, rateLimit: 10 });
    await run('account suspend', { id: account });
    await run('account activate', { id: account });
    await run('key revoke', { id: key });
    await run('page change', { id: page, title: 'Oferta' });
    await run('page off', { id: page });
    await run('page on', { id: page });
    await run('connection change', { id: connection, accessToken: 'EAAC', fromArgvIKnow: true });
    await run('connection pause', { id: connection });
    await run('connection resume', { id: connection });
    await run('delivery retry', { id: [], connection });
    const entries = await audited(account);
    expect(entries.map(({ action, target }) => `${action} ${target}`).toReversed()).toEqual([
      `account.create account ${account}`,
      `key.issue key ${key}`,
      `page.create page ${page}`,
      `connection.create connection ${connection}`,
      `account.change account ${account}`,
      `account.suspend account ${account}`,
      `account.activate account ${account}`,
      `key.revoke key ${key}`,
      `page.change page ${page}`,
      `page.off page ${page}`,
      `page.on page ${page}`,
      `connection.change connection ${connection}`,
      `connection.pause connection ${connection}`,
      `connection.resume connection ${connection}`,
      `connection.retry connection ${connection}`,
    ]);
    expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set(['operator ana']));
    expect(JSON.stringify(await run('audit list', { limit: 100 }))).not.toMatch(
      /EAAB|EAAC|lb_(?:live|test)_[0-9A-Za-z]{40}/,
    );
    expect(await run('audit list', { account, limit: 1 })).toHaveLength(1);
  });

  it('are audited for each delivery that they retry, and for a failed command not at all', async () => {
    const { id, account } = await givenDelivery(database.em(), { state: 'failed' });
    await run('delivery retry', { id: [id] });
    expect(await audited(account.id)).toMatchObject([{ action: 'delivery.retry', target: `delivery ${id}` }]);
    await expect(run('delivery retry', { id: [id] })).rejects.toThrow('already pending');
    expect(await audited(account.id)).toHaveLength(1);
    const none = await givenAccountId();
    await expect(run('client erase', { account: none, email: 'ana@example.com' })).rejects.toThrow('no person');
    expect(await audited(none)).toEqual([]);
  });
});
