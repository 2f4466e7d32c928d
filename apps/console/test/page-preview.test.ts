import { LandingPage } from '@leadback/db';
import { givenAccount, givenLandingPage, hostileStrings, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { type PageDraft, page as pageSchema } from '../src/contract/pages.ts';
import { sessionReply } from '../src/contract/session.ts';
import { givenConsole } from './given-console.ts';

describe('the preview of a landing page', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();
  const account = await givenAccount(console.database.em());
  const { id } = await givenLandingPage(console.database.em(), { account });
  const { csrf } = sessionReply.parse((await person.get('/api/session')).body);
  const { draft } = pageSchema.parse((await person.get(`/api/accounts/${account.id}/pages/${id}`)).body);

  const path = () => `/api/accounts/${account.id}/pages/preview`;
  const preview = (typed: unknown, { token = csrf, headers = {} } = {}) => {
    const form = new URLSearchParams({ csrf: token, draft: typeof typed === 'string' ? typed : JSON.stringify(typed) });
    return person.post(path(), form, headers);
  };
  const rendered = (changed: Partial<PageDraft>) => preview({ ...draft, ...changed });

  it('is the page that visitors would see, in a sandbox, and stores nothing', async () => {
    const { status, text, headers } = await rendered({ title: 'Zapatos', text: '- *uno*', askedFields: ['email'] });
    expect(status).toBe(200);
    expect(text).toContain('<h1>Zapatos</h1>');
    expect(text).toContain('<li><em>uno</em></li>');
    expect(text).toContain('type="email"');
    const policy = headers.get('content-security-policy')?.split(';') ?? [];
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "frame-ancestors 'self'", "form-action 'none'", 'sandbox']),
    );
    expect(policy.filter((rule) => rule.includes('script'))).toEqual([]);
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(await console.database.em().count(LandingPage, { account, title: { $ne: null } })).toBe(0);
  });

  it('leaves out what cannot be saved yet', async () => {
    const hero = { src: 'javascript:alert(1)', alt: '' };
    const { status, text } = await rendered({ targetUrl: 'htt', accentColor: '#12', hero, buttonLabel: 'Go' });
    expect(status).toBe(200);
    expect(text).toContain('<button>Go</button>');
    expect(text).not.toContain('javascript:');
  });

  it('may load images from where the page has them', async () => {
    const { headers } = await rendered({ hero: { src: 'https://cdn.example/hero.jpg', alt: '' } });
    expect(headers.get('content-security-policy')).toContain('img-src data: https://cdn.example;');
  });

  it.each(hostileStrings.map((hostile) => [JSON.stringify(hostile), hostile]))(
    'has no markup from %s',
    async (_, hostile) => {
      const texts = { title: hostile, text: hostile, buttonLabel: hostile, consentText: hostile };
      const others = { privacyUrl: hostile, accentColor: hostile, logo: { src: hostile, alt: hostile } };
      const { status, text } = await rendered({ ...texts, ...others });
      expect(status).toBe(200);
      // the link to the visitor's own data; values are quoted, and what could end one is escaped
      const tags = text.match(/<[^>]*>/g) ?? [];
      const unsafe = tags.filter((tag) => /^<(script|svg|iframe|object|embed|base|meta http)/i.test(tag));
      const handlers = tags.filter((tag) => /\son/i.test(tag.replaceAll(/"[^"]*"/g, '')));
      const links = tags.filter((tag) => /(src|href|action)="(?!data:,"|https:\/\/[a-z.]+[/"])/i.test(tag));
      expect({ unsafe, handlers, links }).toEqual({
        unsafe: [],
        handlers: [],
        links: ['<a href="/data" target="_blank" rel="noopener">'],
      });
    },
  );

  it('is refused to pages of other origins and without the token of the session', async () => {
    for (const given of [
      { token: 'x' },
      { token: '' },
      { headers: { origin: 'https://evil.example' } },
      { headers: { origin: 'null' } },
    ]) {
      const { status, headers } = await preview(draft, given);
      expect([status, headers.get('leadback-error')]).toEqual([403, 'cross-site']);
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
  });

  it.each(['', '{', '{}', '[]', '{"title":1}'])('refuses the draft %j', async (typed) => {
    expect((await preview(typed)).status).toBe(400);
  });

  it('is the only form that the console takes', async () => {
    const form = new URLSearchParams({ code: person.code() });
    const { status } = await person.post('/api/session/step-up', form);
    expect(status).toBe(415);
  });
});
