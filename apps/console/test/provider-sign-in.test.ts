import { disablePerson } from '@leadback/people';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginProviderReply } from '../src/contract/provider.ts';
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

  it('signs in a person whom it vouches for with a second factor', async () => {
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
    provider.vouch({ email: ` ${person.email.toUpperCase()} `, email_verified: true, amr: ['otp'] });
    expect(outcome((await signIn()).reply)).toEqual(done);
  });

  it.each([
    ['no amr', {}],
    ['a password alone', { amr: ['pwd'] }],
  ])('asks for a code of the authenticator app after %s', async (_, claims) => {
    provider.vouch({ email: person.email, email_verified: true, ...claims });
    const { browser, reply } = await signIn();
    expect(outcome(reply)).toEqual({ status: 403, error: 'provider-code-needed' });
    expect(browser.cookie()).toBe('');
    const give = (code: string) => browser.post('/api/session/provider/code', { code });
    expect(outcome(await give('000000'))).toEqual({ status: 403, error: 'code-wrong' });
    expect(outcome(await give(person.code()))).toEqual(done);
    expect((await browser.get('/api/security')).status).toBe(200);
    expect(outcome(await give('000000'))).toEqual(refused);
  });

  it('locks a person after five wrong codes', async () => {
    provider.vouch({ email: person.email, email_verified: true });
    const { browser } = await signIn();
    const give = (code: string) => browser.post('/api/session/provider/code', { code });
    for (let tries = 0; tries < 4; tries += 1) expect((await give('000000')).status).toBe(403);
    expect(outcome(await give('000000'))).toEqual({ status: 429, error: 'locked' });
  });

  it.each([
    ['whose email it has not verified', { email_verified: false }],
    ['without a word about the email', { email_verified: undefined }],
    ['who was never invited', { email: 'nobody@example.com' }],
    ['with a nonce of something else', { nonce: 'of something else' }],
    ['for another client', { aud: 'another client' }],
    ['too late', { iat: 1_700_000_000, exp: 1_700_000_060 }],
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
    expect(outcome(await finish(browser, query))).toEqual(done);
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
