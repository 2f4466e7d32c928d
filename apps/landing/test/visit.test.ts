import { Lead } from '@leadback/db';
import { givenLandingPage } from '@leadback/given';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenLanding, type TestLanding } from './given-landing.ts';

const referenceIn = (location: string | undefined) => new URL(location ?? '').searchParams.get('serviceId');

describe('a landing page', () => {
  let landing: TestLanding;
  beforeAll(async () => {
    landing = await givenLanding();
  });
  afterAll(() => landing[Symbol.asyncDispose]());

  const leadOf = (location: string | undefined) =>
    landing.database.em().findOneOrFail(Lead, { reference: referenceIn(location) ?? '' });
  const leadsOf = (landingPage: { id: number }) => landing.database.em().count(Lead, { landingPage: landingPage.id });

  it('is shown without recording anything, and records the lead when the visitor goes on', async () => {
    const page = await givenLandingPage(landing.database.em(), { title: 'Big <offer>' });
    const shown = await landing.visit(`/${page.slug}?gclid=G1`);
    expect(shown.status).toBe(200);
    expect(shown.html).toContain('<h1>Big &lt;offer&gt;</h1>');
    expect(await leadsOf(page)).toBe(0);
    const gone = await landing.visit(`/${page.slug}?gclid=G1`, { form: {} });
    expect(gone.status).toBe(303);
    expect(gone.location).toMatch(/^https:\/\/shop\.example\/offer\?serviceId=[0-9A-Za-z]{22}$/);
    expect(await leadOf(gone.location)).toMatchObject({ clickMarks: { gclid: 'G1' }, consent: null });
  });

  it('sends on at once in direct mode', async () => {
    const page = await givenLandingPage(landing.database.em(), {
      mode: 'direct',
      targetUrl: 'https://s.example/?a=1#top',
    });
    const { status, location } = await landing.visit(`/${page.slug}?fbclid=F1`);
    expect(status).toBe(302);
    expect(location).toMatch(/^https:\/\/s\.example\/\?a=1&serviceId=[0-9A-Za-z]{22}#top$/);
    expect(await leadOf(location)).toMatchObject({ clickMarks: { fbclid: 'F1' } });
  });

  it('keeps every mark, cookie and fact of the request word for word', async () => {
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
    const marks = {
      gclid: 'Cj0-_x',
      gbraid: 'b1',
      wbraid: 'w1',
      fbclid: 'IwAR2 F4+ü',
      ttclid: 'E.C.P',
      msclkid: 'm1',
      utm_source: 'fb',
      utm_medium: 'cpc',
      utm_campaign: 'verano',
      utm_term: 'zapatos',
      utm_content: 'a/b',
    };
    const path = `/${page.slug}?${new URLSearchParams(marks).toString()}`;
    const { location } = await landing.visit(path, {
      headers: {
        cookie: '_fbp=fb.1.1558571054389.1098115397; _fbc=fb.1.1554763741205.AbC; other=x',
        'accept-language': 'es-AR',
        referer: 'https://www.facebook.com/',
        'x-forwarded-for': '203.0.113.7',
        host: 'go.example',
      },
    });
    expect(await leadOf(location)).toMatchObject({
      clickMarks: { ...marks, _fbp: 'fb.1.1558571054389.1098115397', _fbc: 'fb.1.1554763741205.AbC' },
      ipAddress: '203.0.113.7',
      acceptLanguage: 'es-AR',
      referrer: 'https://www.facebook.com/',
      landingUrl: `http://go.example${path}`,
    });
  });

  it('keeps what it asked for, and the referrer of the first request', async () => {
    const page = await givenLandingPage(landing.database.em(), {
      askedFields: ['name', 'email'],
      consentText: 'I agree',
    });
    const shown = await landing.visit(`/${page.slug}`, { headers: { referer: 'https://x.example/"><b>' } });
    expect(shown.html).toContain('value="https://x.example/&quot;&gt;&lt;b&gt;"');
    const form = { name: ' Ana ', email: 'ana@x.example', phone: '1', consent: 'yes', referrer: 'https://x.example/' };
    const { location } = await landing.visit(`/${page.slug}`, { form });
    expect(await leadOf(location)).toMatchObject({
      name: 'Ana',
      email: 'ana@x.example',
      phone: null,
      consent: true,
      referrer: 'https://x.example/',
    });
    const { consent: _, ...unticked } = form;
    expect(await leadOf((await landing.visit(`/${page.slug}`, { form: unticked })).location)).toMatchObject({
      consent: false,
    });
  });

  it.each([
    ['a crawler', { headers: { 'user-agent': 'facebookexternalhit/1.1' } }],
    ['a command-line client', { headers: { 'user-agent': 'curl/8.1' } }],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['HEAD', { method: 'HEAD' }],
  ])('records no lead for %s and sends it on without a reference', async (_, visit) => {
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
    const { status, location } = await landing.visit(`/${page.slug}?gclid=G`, visit);
    expect([status, location]).toEqual([302, 'https://shop.example/offer']);
    expect(await leadsOf(page)).toBe(0);
  });

  it.each([
    `gclid=${'x'.repeat(8_000)}`,
    'gclid=%00%0d%0aSet-Cookie:%20a=1',
    'gclid=%ff%fe%ED%A0%80',
    'gclid[]=1&gclid=2&gclid=3&__proto__=4',
    'gclid=%E0%A4%A',
    '?&&&===',
  ])('still sends on a visitor who comes with %s', async (query) => {
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
    const { location } = await landing.visit(`/${page.slug}?${query}`);
    const { clickMarks } = await leadOf(location);
    expect(Array.from(clickMarks.gclid ?? '').length).toBeLessThanOrEqual(512);
    expect(clickMarks.gclid ?? '').not.toMatch(/\p{Cc}/u);
  });

  it('takes the target from the database alone', async () => {
    const page = await givenLandingPage(landing.database.em());
    const query = 'target=https://evil.example&url=//evil.example&serviceId=mine';
    const { location } = await landing.visit(`/${page.slug}?${query}`, { form: { target: 'https://evil.example' } });
    expect(location).toMatch(/^https:\/\/shop\.example\/offer\?serviceId=[0-9A-Za-z]{22}$/);
  });

  it('is a plain 404 page when it is unknown or switched off', async () => {
    const off = await givenLandingPage(landing.database.em(), { isOn: false });
    for (const path of [`/${off.slug}`, '/nothing', '/NOTHING', '/%zz', '/', '/a/b']) {
      const { status, html } = await landing.visit(path);
      expect([path, status]).toEqual([path, 404]);
      expect(html).toContain('Page not found');
    }
  });

  it('runs no script, is nobody’s frame, and is not stored', async () => {
    const page = await givenLandingPage(landing.database.em());
    const { headers } = await landing.visit(`/${page.slug}`);
    expect(headers['content-security-policy']).toMatch(/default-src 'none';style-src 'sha256-.*frame-ancestors 'none'/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('strict-origin');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('turns nobody away while the database is away; one that was not seen before asks for patience', async () => {
    await using fragile = await givenLanding();
    const seen = await givenLandingPage(fragile.database.em(), { mode: 'direct' });
    const unseen = await givenLandingPage(fragile.database.em());
    await fragile.visit(`/${seen.slug}`);
    fragile.loseDatabase();
    expect((await fragile.visit(`/${seen.slug}`)).location).toBe('https://shop.example/offer');
    const { status, html, headers } = await fragile.visit(`/${unseen.slug}`);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(html).toContain('Just a moment');
  });
});
