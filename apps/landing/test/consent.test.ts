import { LandingPage } from '@leadback/db';
import { eventually, hiddenFieldsIn, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';

const requester = { consentText: 'I agree' } as const;
const consented = { consent: true, consentScope: 'sharing' };
const notConsented = { consent: false, consentScope: 'sharing' };

describe('what a visitor agrees to', async () => {
  const landing = await shared(givenLanding());

  const formOf = async ({ slug }: LandingPage) => hiddenFieldsIn((await landing.visit(`/${slug}`)).html);
  const send = ({ slug }: LandingPage, form: Record<string, string>, headers: Record<string, string> = {}) =>
    landing.visit(`/${slug}`, { form: { ...form, consent: 'yes' }, headers });

  it.each([
    ['ticked', { consent: 'yes' }, true],
    ['unticked', {}, false],
  ])('records consent with the lead: %s', async (_, form, consent) => {
    const privacyUrl = 'https://shop.example/privacy';
    const page = await landing.givenPage({ ...requester, consentScope: 'personalisation', privacyUrl });
    expect((await landing.visit(`/${page.slug}`)).html).toContain(`href="${privacyUrl}"`);
    const gone = await landing.submit(`/${page.slug}`, form, { 'sec-gpc': '1' });
    expect(await landing.leadOf(gone)).toMatchObject({
      consent,
      consentScope: 'personalisation',
      globalPrivacyControl: true,
    });
  });

  /** Changes the page and waits until visitors see the change. */
  const change = async (page: LandingPage, content: Partial<Pick<LandingPage, 'consentText' | 'consentScope'>>) => {
    const before = (await landing.visit(`/${page.slug}`)).html;
    const em = landing.database.em();
    Object.assign(await em.findOneOrFail(LandingPage, { id: page.id }), { ...content, title: 'Changed' });
    await em.flush();
    await eventually(async () => {
      const { html } = await landing.visit(`/${page.slug}`);
      expect([before.includes('Changed'), html.includes('Changed')]).toEqual([false, true]);
    });
  };

  it.each([
    ['it asked for nothing', {}, requester, { consent: null, consentScope: null }],
    ['it asked for consent', requester, { consentText: null }, consented],
    ['it had another text', requester, { consentText: 'I agree to everything' }, consented],
    ['it asked for less', requester, { consentScope: 'personalisation' }, consented],
  ] as const)(
    'records consent as asked when the page was shown, even if it has changed since: %s',
    async (_, shown, now, recorded) => {
      const page = await landing.givenPage(shown);
      const form = await formOf(page);
      await change(page, now);
      expect(await landing.leadOf(await send(page, form))).toMatchObject(recorded);
    },
  );

  it.each([
    ['says that the page asked for nothing', { asked: 'nothing' }],
    ['says that the page asked for something else', { asked: 'personalisation' }],
    ['says nothing of what the page asked', { asked: 'garbage' }],
    ['has another token', { token: 'other' }],
    ['has no token', { token: '' }],
    ['has no proof', { proof: '' }],
    ['has a proof that is not ours', { proof: `${'a'.repeat(22)}.${'0'.repeat(22)}` }],
    ['has a malformed proof', { proof: '.' }],
  ])('records no consent, but redirects the visitor, if the form %s', async (_, forged) => {
    const page = await landing.givenPage(requester);
    const gone = await send(page, { ...(await formOf(page)), ...forged });
    expect(gone.status).toBe(303);
    expect(await landing.leadOf(gone)).toMatchObject(notConsented);
    expect(await landing.leadOf(await send(page, await formOf(page)))).toMatchObject(consented);
  });

  it.each([
    ['asked for consent', { asked: 'sharing' }, notConsented],
    ['asked for personalisation', { asked: 'personalisation' }, notConsented],
    ['asked for something unknown', { asked: '' }, notConsented],
    ['asked for nothing', { asked: 'nothing' }, { consent: null, consentScope: null }],
    ['nothing', {}, { consent: null, consentScope: null }],
  ] as const)(
    'handles an unsigned form of a page that asks for nothing now, if it claims: %s',
    async (_, form, kept) => {
      const page = await landing.givenPage();
      const gone = await send(page, { token: 'T', ...form });
      expect(gone.status).toBe(303);
      expect(await landing.leadOf(gone)).toMatchObject(kept);
    },
  );

  it('records no consent from a form of another page', async () => {
    const [silent, other, page] = [
      await landing.givenPage(),
      await landing.givenPage(requester),
      await landing.givenPage(requester),
    ];
    for (const foreign of [silent, other]) {
      expect(await landing.leadOf(await send(page, await formOf(foreign)))).toMatchObject(notConsented);
    }
  });

  const own = 'http://go.example';
  it.each([
    ['its own page', { 'sec-fetch-site': 'same-origin', origin: own }, consented],
    [
      'its own page, behind a proxy that changes the host',
      { 'sec-fetch-site': 'same-origin', origin: 'https://x.example' },
      consented,
    ],
    [
      'its own page, in a browser that hides the origin',
      { 'sec-fetch-site': 'same-origin', origin: 'null' },
      consented,
    ],
    ['a form that the visitor sent again', { 'sec-fetch-site': 'none' }, consented],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, notConsented],
    ['a neighbouring site', { 'sec-fetch-site': 'same-site', origin: 'http://evil.go.example' }, notConsented],
    ['a page of its own, in an old browser', { origin: own }, consented],
    ['a page of its own, by TLS up to the proxy', { origin: 'https://go.example:443' }, consented],
    ['another site, in an old browser', { origin: 'https://evil.example' }, notConsented],
    ['another port, in an old browser', { origin: `${own}:8080` }, notConsented],
    ['a site that hides its origin, in an old browser', { origin: 'null' }, notConsented],
    ['a malformed origin', { origin: '//' }, notConsented],
  ] as const)('accepts consent only from its own form: %s', async (_, headers, recorded) => {
    const page = await landing.givenPage(requester);
    const gone = await send(page, await formOf(page), { host: 'go.example', ...headers });
    expect(gone.status).toBe(303);
    expect(await landing.leadOf(gone)).toMatchObject(recorded);
  });

  it('asks for consent again, unticked, if the text changes before the visitor corrects the form', async () => {
    const page = await landing.givenPage({ ...requester, askedFields: ['email'] });
    const form = await formOf(page);
    const box = /id="consent"[^>]* checked>/;
    expect((await send(page, form)).html).toMatch(box);
    await change(page, { consentText: 'I agree to everything' });
    const { status, html } = await send(page, form);
    expect([status, box.test(html)]).toEqual([422, false]);
    const corrected = { ...hiddenFieldsIn(html), email: 'ana@example.com' };
    expect(await landing.leadOf(await send(page, corrected))).toMatchObject({ ...consented, email: 'ana@example.com' });
  });
});
