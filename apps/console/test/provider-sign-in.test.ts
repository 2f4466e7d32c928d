import { generateKeyPairSync } from 'node:crypto';
import { disablePerson } from '@leadback/core/people/people';
import { givenAccount, unique } from '@leadback/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginProviderReply } from '../src/contract/session.ts';
import { type Browser, givenConsole, type SignedIn, type TestConsole } from './given-console.ts';
import { givenIdentityProvider, type IdentityProvider } from './given-identity-provider.ts';
import { outcome } from './given-passkeys.ts';

const refused = { status: 403, error: 'provider-refused' };
const done = { status: 200, error: null };

/** What the provider adds to our URL after it was asked. */
const visit = async (url: string): Promise<string> => {
  const { headers } = await fetch(url, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '').search;
};

const begin = async (browser: Browser): Promise<string> =>
  beginProviderReply.parse((await browser.post('/api/session/provider/begin', {})).body).url;

const finish = (browser: Browser, query: string) => browser.post('/api/session/provider', { query });

const codeNeeded = { status: 403, error: 'provider-code-needed' };
const give = (browser: Browser, code: string) => browser.post('/api/session/provider/code', { code });
const hoursAgo = (hours: number) => Math.floor(Date.now() / 1000) - hours * 3_600;

describe('signing in with an identity provider', () => {
  let provider: IdentityProvider;
  let console: TestConsole;
  let person: SignedIn;
  beforeEach(async () => {
    provider = await givenIdentityProvider();
    console = await givenConsole({ provider: provider.options });
    person = await console.person();
    provider.vouch({ email: person.email, email_verified: true, amr: ['pwd', 'mfa'] });
  });
  afterEach(async () => {
    await console[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });
  const signIn = async (browser = console.browser()) => {
    const query = await visit(await begin(browser));
    return { browser, query, reply: await finish(browser, query) };
  };

  /** Signs in for the first time, with a code, so that the provider's name for the person counts from now on. */
  const link = async () => {
    const { browser, reply } = await signIn();
    expect(outcome(reply)).toEqual(codeNeeded);
    const linked = await give(browser, person.code());
    expect(outcome(linked)).toEqual(done);
    return { browser, reply: linked };
  };
  const rowsOf = async (sql: string, ...values: readonly unknown[]): Promise<unknown[]> =>
    (await console.database.pool.query<Record<string, unknown>>(sql, [...values])).rows;
  const audited = () => rowsOf(`select action from audit_entry where action like 'provider.%' order by id`);
  /** The codes that were given are as if they were not. */
  const forgetCodes = () => rowsOf('update person set code_step = 0');
  /** What was refused to a person since the last entry in the audit log. */
  const refusals = async (of = person) => {
    const [row] = await rowsOf('select refused from person where id = $1', of.personId);
    return row;
  };
  const issueKey = async (browser: Browser) => {
    const account = await givenAccount(console.database.em());
    return outcome(
      await browser.post(`/api/accounts/${account.id}/keys`, { name: 'backend', isTest: false, scopes: ['read'] }),
    );
  };

  it('signs in a person whom it vouches for with a second factor, after a code at the first time', async () => {
    await link();
    const { browser, reply } = await signIn();
    expect(reply).toMatchObject({ status: 200, body: { person: { email: person.email }, provider: 'Acme ID' } });
    expect((await browser.get('/api/security')).status).toBe(200);
    const { rows } = await console.database.pool.query(
      'select action, details from audit_entry where actor = $1 order by id desc limit 1',
      [person.email],
    );
    expect(rows).toEqual([{ action: 'session.start', details: { by: 'provider' } }]);
  });

  it('compares emails as people write them', async () => {
    provider.vouch({ email: ` ${person.email.toUpperCase()} `, email_verified: true, amr: ['mfa'] });
    const { reply } = await link();
    expect(reply).toMatchObject({ body: { person: { email: person.email } } });
  });

  it('signs a linked person in whatever the email is, and nobody else by it', async () => {
    await link();
    provider.vouch({ sub: 'person-2', email: person.email, email_verified: true, amr: ['mfa'] });
    const before = await audited();
    for (let tries = 0; tries < 3; tries += 1) expect(outcome((await signIn()).reply)).toEqual(refused);
    // counted, because a stranger may repeat it
    expect(await refusals()).toEqual({ refused: { 'other-identity': 3 } });
    expect(await audited()).toEqual(before);
    provider.vouch({ email: 'ana.maria@example.com', email_verified: true, amr: ['mfa'] });
    expect(outcome((await signIn()).reply)).toEqual(done);
  });

  it.each([
    ['a letter that folds to another', (email: string) => email.replace('k', '\u212A')],
    ['a no-break space', (email: string) => `${email}\u00A0`],
  ])('does not sign in a person by an email with %s', async (_, change) => {
    const kim = await console.person({ email: `${unique('kim')}@example.com` });
    provider.vouch({ email: change(kim.email), email_verified: true, amr: ['mfa'] });
    expect(outcome((await signIn()).reply)).toEqual(refused);
    expect(await refusals(kim)).toEqual({ refused: {} });
    expect(await audited()).toEqual([]);
  });

  it.each([
    ['no amr', {}],
    ['a password alone', { amr: ['pwd'] }],
    ['a key in hardware alone', { amr: ['hwk'] }],
    ['two methods of one kind', { amr: ['pwd', 'pin'] }],
    ['methods that it has made up', { amr: ['pwd', 'toString', 'constructor', '__proto__'] }],
  ])('asks for a code of the authenticator app after %s', async (_, claims) => {
    // linked before, with no code of this half minute used
    await console.database.pool.query(
      `insert into person_identity (person_id, issuer, subject) values ($1, $2, 'person-1')`,
      [person.personId, provider.options.issuer],
    );
    provider.vouch({ email: person.email, email_verified: true, ...claims });
    const { browser, reply } = await signIn();
    expect(outcome(reply)).toEqual(codeNeeded);
    expect(browser.cookie()).toBe('');
    expect(outcome(await give(browser, '000000'))).toEqual({ status: 403, error: 'code-wrong' });
    expect(outcome(await give(browser, person.code()))).toEqual(done);
    expect((await browser.get('/api/security')).status).toBe(200);
    expect(outcome(await give(browser, '000000'))).toEqual(refused);
  });

  it.each([
    ['a month ago', () => hoursAgo(30 * 24)],
    ['longer ago than it was asked for', () => hoursAgo(13)],
    ['at no time that it names', () => undefined],
    ['at a time to come', () => hoursAgo(-1)],
  ])('asks for a code of the authenticator app after a second factor that it checked %s', async (_, authTime) => {
    await link();
    provider.vouch({ email: person.email, email_verified: true, amr: ['mfa'], auth_time: authTime() });
    const { browser, reply } = await signIn();
    expect(outcome(reply)).toEqual(codeNeeded);
    expect(browser.cookie()).toBe('');
  });

  it('opens no protected action by a second factor that it checked an hour ago', async () => {
    await link();
    provider.vouch({ email: person.email, email_verified: true, amr: ['mfa'], auth_time: hoursAgo(1) });
    const { browser, reply } = await signIn();
    expect(outcome(reply)).toEqual(done);
    expect(await issueKey(browser)).toEqual({ status: 403, error: 'second-factor-needed' });
  });

  it.each([
    ['two kinds of methods', ['pwd', 'otp']],
    ['several factors', ['mfa']],
  ])('opens protected actions by %s that it has just checked', async (_, amr) => {
    await link();
    provider.vouch({ email: person.email, email_verified: true, amr });
    const { browser } = await signIn();
    expect((await issueKey(browser)).error).toBeNull();
  });

  it.each([
    ['without a signature', () => ({ alg: 'none' })],
    ['signed with the secret of the client', () => ({ alg: 'HS256', secret: provider.options.clientSecret })],
    ['signed with another key', () => ({ key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey })],
  ])('does not sign in a person by a token %s', async (_, signing) => {
    await link();
    provider.signWith(signing());
    expect(outcome((await signIn()).reply)).toEqual(refused);
  });

  it('does not sign in a person who is locked after wrong codes', async () => {
    await link();
    await console.database.pool.query(`update person set locked_until = now() + interval '5 minutes' where id = $1`, [
      person.personId,
    ]);
    expect(outcome((await signIn()).reply)).toEqual({ status: 429, error: 'locked' });
  });

  it('locks a linked person after five wrong codes', async () => {
    await link();
    await forgetCodes();
    provider.vouch({ email: person.email, email_verified: true });
    const { browser } = await signIn();
    for (let tries = 0; tries < 4; tries += 1) expect((await give(browser, '000000')).status).toBe(403);
    expect(outcome(await give(browser, '000000'))).toEqual({ status: 429, error: 'locked' });
    const { email, password } = person;
    const byPassword = await console.browser().post('/api/session/sign-in', { email, password, code: person.code() });
    expect(outcome(byPassword)).toEqual({ status: 429, error: 'locked' });
  });

  it('ends a first sign-in after five wrong codes, and leaves the person, whose password it has not shown, free', async () => {
    const { browser } = await signIn();
    for (let tries = 0; tries < 4; tries += 1)
      expect(outcome(await give(browser, '000000'))).toEqual({ status: 403, error: 'code-wrong' });
    expect(outcome(await give(browser, '000000'))).toEqual({ status: 429, error: 'locked' });
    const code = person.code();
    expect(outcome(await give(browser, code))).toEqual(refused);
    // nor does another attempt get further codes
    expect(outcome((await signIn()).reply)).toEqual({ status: 429, error: 'locked' });
    expect(await refusals()).toEqual({ refused: { 'link-code': 5, provider: 1 } });
    const { email, password } = person;
    const owner = await console.browser().post('/api/session/sign-in', { email, password, code });
    expect(outcome(owner)).toEqual(done);
    await rowsOf('update person set link_locked_until = now() where id = $1', person.personId);
    expect(outcome((await signIn()).reply)).toEqual(codeNeeded);
  });

  it('links an identity once when two browsers were asked for a code, and signs both in', async () => {
    const [one, other] = [await signIn(), await signIn()];
    expect([one, other].map(({ reply }) => outcome(reply))).toEqual([codeNeeded, codeNeeded]);
    const code = person.code();
    const replies = (await Promise.all([give(one.browser, code), give(other.browser, code)])).map(outcome);
    expect(replies).toContainEqual(done);
    expect(replies).toContainEqual({ status: 403, error: 'code-wrong' });
    await forgetCodes();
    const late = replies[0]?.status === 200 ? other.browser : one.browser;
    expect(outcome(await give(late, code))).toEqual(done);
    expect(await rowsOf('select subject from person_identity')).toEqual([{ subject: 'person-1' }]);
    expect(await audited()).toEqual([{ action: 'provider.link' }]);
  });

  it('links an identity to one person alone, whatever its email was when the codes were asked for', async () => {
    const other = await console.person();
    const ofPerson = await signIn();
    provider.vouch({ email: other.email, email_verified: true, amr: ['mfa'] });
    const ofOther = await signIn();
    expect(outcome(await give(ofPerson.browser, person.code()))).toEqual(done);
    expect(outcome(await give(ofOther.browser, other.code()))).toEqual(refused);
    expect(ofOther.browser.cookie()).toBe('');
    expect(await rowsOf('select person_id::int as id from person_identity')).toEqual([{ id: person.personId }]);
  });

  it('lets a visitor whose code was refused as one too many go on with the next code', async () => {
    const { browser } = await signIn();
    // a code that was used locks nobody, and counts for the limit
    const used = person.code();
    const { email, password } = person;
    const byPassword = await console.browser().post('/api/session/sign-in', { email, password, code: used });
    expect(outcome(byPassword)).toEqual(done);
    const errors = new Set<string | null>();
    await expect
      .poll(async () => {
        errors.add(outcome(await give(browser, used)).error);
        return errors.has('rate-limited');
      })
      .toBe(true);
    expect(errors).toEqual(new Set(['code-wrong', 'rate-limited']));
    await forgetCodes();
    expect(outcome(await give(browser, used))).toEqual(done);
  });

  it.each([
    ['whose email it has not verified', { email_verified: false }],
    ['without a word about the email', { email_verified: undefined }],
    ['who was never invited', { email: 'nobody@example.com' }],
    ['with a nonce of something else', { nonce: 'of something else' }],
    ['for another client', { aud: 'another client' }],
    ['to whom another client is authorised', { azp: 'another client' }],
    ['by a name that is no text', { sub: 'person\0' }],
    ['too late', { iat: 1_700_000_000, exp: 1_700_000_060 }],
    ['by a token that is issued in an hour', { iat: hoursAgo(-1), exp: hoursAgo(-2) }],
  ])('does not sign in a person %s', async (_, claims) => {
    provider.vouch({ email: person.email, email_verified: true, amr: ['mfa'], ...claims });
    const { browser, reply } = await signIn();
    expect(outcome(reply)).toEqual(refused);
    expect(browser.cookie()).toBe('');
  });

  it('does not sign in a person who is disabled, or has not accepted the invitation', async () => {
    const invited = await console.invite();
    provider.vouch({ email: invited.email, email_verified: true, amr: ['mfa'] });
    expect(outcome((await signIn()).reply)).toEqual(refused);
    provider.vouch({ email: person.email, email_verified: true, amr: ['mfa'] });
    await link();
    await disablePerson(console.database.em(), { id: person.personId, actor: 'test' });
    provider.vouch({ email: person.email, email_verified: true, amr: ['mfa'] });
    expect(outcome((await signIn()).reply)).toEqual(refused);
  });

  it('continues only in the browser that has begun, once', async () => {
    const [browser, other] = [console.browser(), console.browser()];
    const query = await visit(await begin(browser));
    expect(outcome(await finish(console.browser(), query))).toEqual(refused);
    await begin(other);
    expect(outcome(await finish(other, query))).toEqual(refused);
    expect(outcome(await finish(browser, query))).toEqual(codeNeeded);
    expect(outcome(await finish(browser, query))).toEqual(refused);
  });

  it('refuses a response that the provider has not given', async () => {
    const browser = console.browser();
    const state = new URL(await begin(browser)).searchParams.get('state') ?? '';
    expect(outcome(await finish(browser, `?code=invented&state=${state}`))).toEqual(refused);
    await begin(browser);
    expect(outcome(await finish(browser, '?error=access_denied'))).toEqual(refused);
  });

  it('says that the provider does not respond, and signs in by password', async () => {
    provider.fail();
    const browser = console.browser();
    const unavailable = { status: 503, error: 'provider-unavailable' };
    expect(outcome(await browser.post('/api/session/provider/begin', {}))).toEqual(unavailable);
    const { email, password } = person;
    expect(outcome(await browser.post('/api/session/sign-in', { email, password, code: person.code() }))).toEqual(done);
  });

  it('has no path in a console without a provider', async () => {
    await using without = await givenConsole();
    expect((await without.browser().get('/api/session')).body).toMatchObject({ provider: null });
    expect((await without.browser().post('/api/session/provider/begin', {})).status).toBe(404);
  });
});
