import { givenAccount, givenLandingPage, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenConsole, type SignedIn } from './given-console.ts';

const cookieName = '__Host-leadback';

describe('a hostile browser at the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  const signIn = async ({ email, password }: SignedIn, code: string) => {
    const browser = console.browser();
    return { browser, reply: await browser.post('/api/session/sign-in', { email, password, code }) };
  };
  const isSignedIn = async (cookie: string) => {
    const { status, text } = await console.browser().get('/api/session', { cookie });
    expect(status).toBe(200);
    return !text.includes('"person":null');
  };

  it.each(['x-http-method-override', 'x-http-method', 'x-method-override'])(
    'cannot change the method of a request with the header %s',
    async (header) => {
      const reply = await person.get('/api/session/sign-out', { [header]: 'POST' });
      expect(reply.status).toBe(405);
      expect((await person.get('/api/accounts')).status).toBe(200);
    },
  );

  it('gets a token of its own when it signs in, not one that somebody put there before', async () => {
    const other = await console.person();
    const planted = `${cookieName}=${'A'.repeat(43)}`;
    const { headers } = await console.browser().get('/api/session', { cookie: planted });
    expect(headers.get('set-cookie')).toMatch(/^__Host-leadback=; .*Max-Age=0$/);
    const { browser, reply } = await signIn(other, other.code());
    expect(reply.status).toBe(200);
    expect(await isSignedIn(`${cookieName}=${browser.cookie()}`)).toBe(true);
    expect(await isSignedIn(`${planted}; ${cookieName}=${browser.cookie()}`)).toBe(false);
    expect(await isSignedIn(planted)).toBe(false);
  });

  it.each([
    ['percent signs', () => `${cookieName}=${'%'.repeat(300)}`],
    ['nothing', () => `${cookieName}=`],
    ['a token that is cut off', () => `${cookieName}=${person.cookie().slice(0, -1)}`],
    ['a token in other case', () => `${cookieName}=${person.cookie().toUpperCase()}`],
    ['a name in other case', () => `__host-LEADBACK=${person.cookie()}`],
  ])('is signed out with a cookie of %s', async (_, cookie) => {
    expect(await isSignedIn(cookie())).toBe(false);
  });

  it('signs in once of ten times at once with the same code from ten networks', async () => {
    const other = await console.person();
    const code = other.code();
    const all = await Promise.all(Array.from({ length: 10 }, () => signIn(other, code)));
    const results = all.map(({ reply: { status, headers } }) => headers.get('leadback-error') ?? status);
    expect(results.filter((result) => result !== 'code-used')).toEqual([200]);
  });

  it.each(['data', 'DATA', '.well-known', '%64ata', '', 'preview', 'media', 'health', 'data/x', 'dаta'])(
    'creates no page with the path %j, which is one of Leadback itself or no path',
    async (slug) => {
      const account = await givenAccount(console.database.em());
      const path = `/api/accounts/${account.id}/pages`;
      const created = await person.post(path, { slug, language: 'en', targetUrl: 'https://x.example/' });
      expect(created.body).toEqual({ outcome: 'invalid', problems: ['slug'] });
      const page = await givenLandingPage(console.database.em(), { account });
      expect((await person.get(path)).text).toContain(page.slug);
    },
  );
});
