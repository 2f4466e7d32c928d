import type { LandingPage } from '@leadback/db';
import { readRememberedClicks, rememberedClicksKeys } from '@leadback/domain/keys';
import { hiddenFieldsIn, secretsKeys, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { clicksCookie, clicksName, cookieSet, givenLanding, sentBack, type Reply } from './given-landing.ts';

/** A header in UTF-8, as node sends it byte by byte. */
const bytes = (text: string) => Buffer.from(text).toString('latin1');

const landing = await shared(givenLanding());

/** The lead of a visit to a direct page. */
const leftBy = async (query: string, headers: Record<string, string> = {}) => {
  const page = await landing.givenPage({ mode: 'direct' });
  return { page, lead: await landing.leadOf(await landing.visit(`/${page.slug}?${query}`, { headers })) };
};

describe('the lead of a visitor', () => {
  it('stores all click parameters, cookies and request data of a visit unchanged', async () => {
    const parameters = {
      gclid: 'Cj0-_x',
      gbraid: 'b1',
      wbraid: 'w1',
      fbclid: 'IwAR2F4+ü',
      ttclid: 'E.C.P',
      msclkid: 'b1240587f865192a03586c5b000314f5',
      li_fat_id: 'df5gf5-gh6t7',
      epik: 'dj0yJnU9',
      ScCid: 'a1B2-c3',
      twclid: '2-3k4j',
      rdt_cid: '51_x',
      utm_source: 'fb',
      utm_medium: 'cpc',
      utm_campaign: 'verano',
      utm_term: 'zapatos',
      utm_content: 'a/b',
      utm_id: '120211',
      gad_source: '1',
      gad_campaignid: '20312345678',
    };
    const query = new URLSearchParams(parameters).toString();
    const { page, lead } = await leftBy(query, {
      cookie: '_fbp=fb.1.1558571054389.1098115397; _fbc=fb.1.1554763741205.AbC; _ttp=2Tt-p_; other=x',
      'accept-language': 'es-AR',
      referer: 'https://www.facebook.com/',
      'x-forwarded-for': '203.0.113.7',
      host: 'go.example',
    });
    expect(lead).toMatchObject({
      clickParameters: {
        ...parameters,
        _fbp: 'fb.1.1558571054389.1098115397',
        _fbc: 'fb.1.1554763741205.AbC',
        _ttp: '2Tt-p_',
      },
      clickTimes: {},
      ipAddress: '203.0.113.7',
      acceptLanguage: 'es-AR',
      referrer: 'https://www.facebook.com/',
      landingUrl: `http://go.example/${page.slug}?${query}`,
      globalPrivacyControl: false,
    });
  });

  it.each([
    ['the first of several values', 'utm_term=first&utm_term=second', 'first'],
    ['the first non-empty value', 'utm_term=&utm_term=%20&utm_term', ' '],
    ['percent-encoded UTF-8', 'utm_term=a%C3%B1o%2Bb', 'año+b'],
    ['bytes that are not UTF-8 as they were written', 'utm_term=a%F1o+b%ff', 'a%F1o+b%ff'],
    ['a value with an equals sign', 'utm_term=a=b==', 'a=b=='],
    ['half an escape', 'utm_term=a%E', 'a%E'],
    ['a value among unknown parameters', '?&&=&__proto__=1&utm_term[]=0&utm_term=G&constructor', 'G'],
    ['a value without its control characters', 'utm_term=%00G%0d%0aSet-Cookie:%20a', 'GSet-Cookie: a'],
    ['the first 512 characters of 8 KB', `utm_term=${'%F0%9F%91%9F'.repeat(680)}`, '👟'.repeat(512)],
  ])('stores as parameter: %s', async (_, query, term) => {
    const { lead } = await leftBy(query);
    expect(lead.clickParameters).toEqual({ utm_term: term, _fbp: expect.any(String) });
  });

  it('stores apart what was sent as click ids and is none, with the reason', async () => {
    const { lead } = await leftBy('gclid=%7Bgclid%7D&fbclid=null&msclkid=m1&ttclid=E.C.P.x1&utm_source=x', {
      cookie: '_fbc=fb.1.1554763741205.{{fbclid}}; _ttp=2Tt-p_',
    });
    expect(lead.clickParameters).toEqual({
      ttclid: 'E.C.P.x1',
      utm_source: 'x',
      _ttp: '2Tt-p_',
      _fbp: expect.any(String),
    });
    expect(lead.unusableClicks).toEqual({
      gclid: { sent: '{gclid}', reason: 'template' },
      fbclid: { sent: 'null', reason: 'placeholder' },
      msclkid: { sent: 'm1', reason: 'malformed' },
      _fbc: { sent: 'fb.1.1554763741205.{{fbclid}}', reason: 'template' },
    });
  });

  it('stores nothing apart of a click whose ids are click ids', async () => {
    const { lead } = await leftBy('gclid=%7Bgclid%7D&gclid=Cj0K&fbclid=IwAR');
    expect(lead.unusableClicks).toBeNull();
  });

  it('stores of a whole cookie the click id and its time', async () => {
    const atMs = daysAgo(3);
    const { lead } = await leftBy(`gclid=GCL.1693312345.EAIaIQ&fbclid=fb.1.${atMs}.IwAR3abc&gbraid=GCL.9999999999.b1`);
    expect(lead).toMatchObject({
      clickParameters: { gclid: 'EAIaIQ', fbclid: 'IwAR3abc', gbraid: 'b1' },
      clickTimes: { gclid: '2023-08-29T12:32:25.000Z', fbclid: iso(atMs) },
    });
    expect(Object.keys(lead.clickTimes ?? {})).toEqual(['gclid', 'fbclid']);
  });

  it('remembers no click whose id is none', async () => {
    const page = await givenDirectPage();
    const first = await landing.visit(`/${page.slug}?gclid=%7Bgclid%7D`);
    expect(cookieSet(first, clicksName(page))).toBe('');
  });

  it.each([
    (slug: string) => `/${slug.toUpperCase()}?gclid=Cj0K`,
    (slug: string) => `/${slug}%20?gclid=Cj0K`,
    (slug: string) => `/${slug}%3Fgclid%3DCj0K`,
    (slug: string) => `/${slug}&gclid=Cj0K`,
    (slug: string) => `//${slug}?gclid=Cj0K`,
    (slug: string) => `/${slug}%ZZ?gclid=Cj0K`,
    (slug: string) => `/${slug}/index.html?gclid=Cj0K`,
  ])('is left by a link to the page that was changed on its way: %s', async (pathOf) => {
    const page = await landing.givenPage({ mode: 'direct' });
    const lead = await landing.leadOf(await landing.visit(pathOf(page.slug), { headers: { host: 'go.example' } }));
    expect(lead).toMatchObject({
      clickParameters: { gclid: 'Cj0K' },
      landingUrl: `http://go.example/${page.slug}?gclid=Cj0K`,
    });
  });

  it.each([
    ['181.30.1.2', '181.30.1.2'],
    ['181.30.1.2:5566', '181.30.1.2'],
    ['::ffff:181.30.1.2', '181.30.1.2'],
    ['[2800:810:4a5:1::9]', '2800:810:4a5:1::9'],
    ['[2800:810:4a5:1::9]:443', '2800:810:4a5:1::9'],
    ['"[2800:810:4a5:1::9]:443"', '2800:810:4a5:1::9'],
    ['2800:810::1%eth0', '2800:810::1'],
    ['[2800:810::1%25eth0]:80', '2800:810::1'],
  ])('has the address of a visitor as a proxy writes it: %s', async (forwarded, address) => {
    const { lead } = await leftBy('gclid=Cj0K', { 'x-forwarded-for': forwarded });
    expect(lead.ipAddress).toBe(address);
  });

  it.each([2_000, 9_000, 17_000, 30_000])('is left by a URL that an ad has made %i characters long', async (length) => {
    const gclid = 'Cj0KCQiA-long';
    const query = `a=${'x'.repeat(length / 2)}&gclid=${gclid}&b=${'x'.repeat(length / 2)}`;
    const direct = await landing.givenPage({ mode: 'direct' });
    const shown = await landing.givenPage();
    const replies = [await landing.visit(`/${direct.slug}?${query}`), await landing.submit(`/${shown.slug}?${query}`)];
    for (const reply of replies) expect((await landing.leadOf(reply)).clickParameters).toMatchObject({ gclid });
  });

  it('decodes headers in UTF-8, and all others as ISO 8859-1', async () => {
    const { lead } = await leftBy('', {
      'user-agent': bytes('Mozilla/5.0 ñandú'),
      referer: 'https://x.example/a\u00f1o',
    });
    expect(lead).toMatchObject({ userAgent: 'Mozilla/5.0 ñandú', referrer: 'https://x.example/a\u00f1o' });
  });

  it.each([
    ['one hop, from the right', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['IPv4 in IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['IPv6', '2001:db8::1', '2001:db8::1'],
    ['nothing', '', '127.0.0.1'],
  ])('stores the IP address from the trusted proxy: %s', async (_, forwarded, ipAddress) => {
    const { lead } = await leftBy('', { 'x-forwarded-for': forwarded });
    expect(lead.ipAddress).toBe(ipAddress);
  });

  it.each([
    [0, '127.0.0.1', 'http:'],
    [2, '198.51.100.1', 'https:'],
  ])('trusts only the configured number of proxies: %i', async (trustProxyHops, ipAddress, protocol) => {
    await using behind = await givenLanding({ trustProxyHops });
    const page = await behind.givenPage({ mode: 'direct' });
    const { location } = await behind.visit(`/${page.slug}`, {
      headers: { 'x-forwarded-for': '192.0.2.66, 198.51.100.1, 203.0.113.7', 'x-forwarded-proto': 'https' },
    });
    const lead = await behind.leadOf({ location });
    expect([lead.ipAddress, new URL(lead.landingUrl ?? '').protocol]).toEqual([ipAddress, protocol]);
  });

  it('stores Global Privacy Control with the lead', async () => {
    const { lead } = await leftBy('gclid=G', { 'sec-gpc': '1' });
    expect(lead.globalPrivacyControl).toBe(true);
  });
});

const dayMs = 86_400_000;
const daysAgo = (days: number) => Date.now() - days * dayMs;
const long = (letter: string) => letter.repeat(512);
const iso = (ms: number) => new Date(ms).toISOString();

const givenDirectPage = () => landing.givenPage({ mode: 'direct' });

const clicksOf = async (reply: Reply) => {
  const { clickParameters, clickTimes } = await landing.leadOf(reply);
  const { _fbp, ...clicks } = clickParameters;
  return { clickParameters: clicks, clickTimes };
};

describe('the clicks of earlier visits', () => {
  it('stores clicks for 90 days if the page asks for no consent, and attributes a later visit', async () => {
    const page = await landing.givenPage();
    const before = Date.now();
    const first = await landing.visit(`/${page.slug}?gclid=G1-a=b&fbclid=F1%2B=&utm_source=x`);
    expect(cookieSet(first, clicksName(page))).toMatch(
      new RegExp(`^${clicksName(page)}=[\\w-]+; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax$`),
    );
    const { clickParameters, clickTimes } = await clicksOf(await landing.submit(`/${page.slug}`, {}, sentBack(first)));
    expect(clickParameters).toEqual({ gclid: 'G1-a=b', fbclid: 'F1+=' });
    expect(Object.keys(clickTimes ?? {})).toEqual(['gclid', 'fbclid']);
    for (const time of Object.values(clickTimes ?? {})) {
      expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
    }
  });

  it('replaces a stored click only by a later click on the same platform', async () => {
    const page = await givenDirectPage();
    const [googleAt, metaAt] = [daysAgo(80), daysAgo(10)];
    const cookie = clicksCookie(page, { google: googleAt, gclid: 'G1', gbraid: 'B1', meta: metaAt, fbclid: 'F1' });
    const google = await landing.visit(`/${page.slug}?gclid=G2`, { headers: { cookie } });
    expect(await clicksOf(google)).toMatchObject({
      clickParameters: { gclid: 'G2', fbclid: 'F1' },
      clickTimes: { fbclid: iso(metaAt) },
    });
    const tiktok = await landing.visit(`/${page.slug}?ttclid=E.C.T1`, { headers: sentBack(google) });
    const lead = await clicksOf(tiktok);
    expect(lead.clickParameters).toEqual({ gclid: 'G2', fbclid: 'F1', ttclid: 'E.C.T1' });
    expect(lead.clickTimes).toEqual({ gclid: expect.any(String), fbclid: iso(metaAt) });
    expect(Date.parse(lead.clickTimes?.gclid ?? '')).toBeGreaterThan(metaAt);
  });

  it('stores a click of a platform without connections, too', async () => {
    const page = await givenDirectPage();
    const first = await landing.visit(`/${page.slug}?ScCid=S1`);
    const next = await landing.visit(`/${page.slug}?rdt_cid=R1`, { headers: sentBack(first) });
    const { clickParameters } = await clicksOf(await landing.visit(`/${page.slug}`, { headers: sentBack(next) }));
    expect(clickParameters).toEqual({ ScCid: 'S1', rdt_cid: 'R1' });
  });

  it('has in its cookie the time of the click on each platform', async () => {
    const page = await landing.givenPage({ mode: 'direct' });
    const metaAt = daysAgo(10);
    const cookie = clicksCookie(page, { meta: metaAt, fbclid: 'F1' });
    const clicked = await landing.visit(`/${page.slug}?gclid=G1`, { headers: { cookie } });
    const [, value = ''] = /=([^;]+)/.exec(cookieSet(clicked, clicksName(page))) ?? [];
    const written = readRememberedClicks(rememberedClicksKeys(secretsKeys), page.account.id, value);
    const kept = Object.fromEntries(new URLSearchParams(written));
    const { google } = kept;
    expect(kept).toEqual({ google, gclid: 'G1', meta: String(metaAt), fbclid: 'F1' });
    expect(Number(google)).toBeGreaterThan(metaAt);
  });

  it('ignores each stored click after 90 days', async () => {
    const page = await givenDirectPage();
    const [googleAt, metaAt] = [daysAgo(91), daysAgo(89)];
    const cookie = clicksCookie(page, { google: googleAt, gclid: 'G1', meta: metaAt, fbclid: 'F1' });
    expect(await clicksOf(await landing.visit(`/${page.slug}`, { headers: { cookie } }))).toEqual({
      clickParameters: { fbclid: 'F1' },
      clickTimes: { fbclid: iso(metaAt) },
    });
  });

  it('drops the oldest stored clicks if the cookie is full', async () => {
    const page = await givenDirectPage();
    const kept = { google: daysAgo(3), gclid: 'g'.repeat(300), gbraid: 'b', wbraid: 'w' };
    const cookie = clicksCookie(page, {
      ...kept,
      meta: daysAgo(9),
      fbclid: long('f'),
      microsoft: daysAgo(1),
      msclkid: 'M1',
    });
    const clicked = await landing.visit(`/${page.slug}?ttclid=${long('t')}`, { headers: { cookie } });
    expect(cookieSet(clicked, clicksName(page)).length).toBeLessThan(1_800);
    const returned = await clicksOf(await landing.visit(`/${page.slug}`, { headers: sentBack(clicked) }));
    expect(Object.keys(returned.clickParameters).toSorted()).toEqual([
      'gbraid',
      'gclid',
      'msclkid',
      'ttclid',
      'wbraid',
    ]);
  });

  it('deletes a stored click if a later one on the same platform is too long to store', async () => {
    const page = await givenDirectPage();
    const cookie = clicksCookie(page, { pinterest: daysAgo(3), epik: 'E1' });
    const clicked = await landing.visit(`/${page.slug}?epik=${encodeURIComponent('😀'.repeat(512))}`, {
      headers: { cookie },
    });
    expect(cookieSet(clicked, clicksName(page))).toContain('=; Max-Age=0');
  });

  it('stores clicks only after consent, and deletes them if consent is withdrawn', async () => {
    const page = await landing.givenPage({ consentText: 'I agree' });
    const path = `/${page.slug}?gclid=G1`;
    expect(cookieSet(await landing.visit(path), clicksName(page))).toBe('');
    expect(cookieSet(await landing.submit(path), clicksName(page))).toBe('');
    const agreed = await landing.submit(path, { consent: 'yes' });
    expect(cookieSet(agreed, clicksName(page))).toContain(`${clicksName(page)}=`);
    const withdrawn = await landing.submit(`/${page.slug}`, {}, sentBack(agreed));
    expect(cookieSet(withdrawn, clicksName(page))).toContain('=; Max-Age=0');
    expect((await clicksOf(withdrawn)).clickParameters).toEqual({});
  });

  it('neither stores nor uses clicks if the browser sends Global Privacy Control', async () => {
    const page = await givenDirectPage();
    const first = await landing.visit(`/${page.slug}?gclid=G1`);
    const headers = { ...sentBack(first), 'sec-gpc': '1' };
    expect(headers.cookie).toContain(`${clicksName(page)}=`);
    const returned = await landing.visit(`/${page.slug}`, { headers });
    expect(cookieSet(returned, clicksName(page))).toContain('=; Max-Age=0');
    expect(await clicksOf(returned)).toMatchObject({ clickParameters: {}, clickTimes: {} });
    const clicked = await landing.visit(`/${page.slug}?gclid=G1`, { headers: { 'sec-gpc': '1' } });
    expect(cookieSet(clicked, clicksName(page))).toBe('');
  });

  it.each([
    ['garbage', (page: LandingPage) => `${clicksName(page)}=%%%`],
    ['a future time', (page: LandingPage) => clicksCookie(page, { google: daysAgo(-1), gclid: 'G' })],
    ['no time', (page: LandingPage) => clicksCookie(page, { meta: daysAgo(1), gclid: 'G' })],
    ['an invalid time', (page: LandingPage) => clicksCookie(page, { google: 'yesterday', gclid: 'G' })],
    ['no click id', (page: LandingPage) => clicksCookie(page, { google: daysAgo(1), other: '1' })],
  ])('reads no clicks from a cookie with %s', async (_, cookieOf) => {
    const page = await givenDirectPage();
    const cookie = cookieOf(page);
    const lead = await clicksOf(await landing.visit(`/${page.slug}`, { headers: { cookie } }));
    expect(lead).toEqual({ clickParameters: {}, clickTimes: {} });
  });

  it('remembers a click for all pages of its account, and for no other account', async () => {
    const clicked = await givenDirectPage();
    const sibling = await landing.givenPage({ mode: 'direct', account: clicked.account.getEntity() });
    const foreign = await givenDirectPage();
    const headers = sentBack(await landing.visit(`/${clicked.slug}?gclid=G1`));
    const next = await landing.visit(`/${sibling.slug}?fbclid=F1`, { headers });
    expect((await clicksOf(next)).clickParameters).toEqual({ gclid: 'G1', fbclid: 'F1' });
    expect((await clicksOf(await landing.visit(`/${foreign.slug}`, { headers }))).clickParameters).toEqual({});
    // not even if a page of the other account gets the cookie under its own name
    const renamed = headers.cookie.replace(clicksName(clicked), clicksName(foreign));
    const stolen = await landing.visit(`/${foreign.slug}`, { headers: { cookie: renamed } });
    expect((await clicksOf(stolen)).clickParameters).toEqual({});
  });

  it('keeps the clicks of seven accounts, so that the headers of a browser never grow too large', async () => {
    const names: string[] = [];
    const kept = new Map<string, string>();
    for (let count = 1; count <= 10; count += 1) {
      const page = await givenDirectPage();
      names.push(clicksName(page));
      const cookie = [...kept.values()].join('; ');
      const { headers, status } = await landing.visit(
        `/${page.slug}?gclid=${'g'.repeat(500)}&fbclid=${'f'.repeat(500)}`,
        {
          headers: { cookie },
        },
      );
      expect(status).toBe(302);
      for (const set of [headers['set-cookie'] ?? []].flat()) {
        const [pair = ''] = set.split(';');
        const name = pair.slice(0, pair.indexOf('='));
        if (set.includes('Max-Age=0')) kept.delete(name);
        else if (name.startsWith('clicks-')) kept.set(name, pair);
      }
    }
    expect([...kept.keys()]).toEqual(names.slice(-7));
  });
});

/** The path of a new page. */
const pathOf = async (content?: Parameters<typeof landing.givenPage>[0]) =>
  `/${(await landing.givenPage(content)).slug}`;
const fbpOf = async (reply: Reply) => (await landing.leadOf(reply)).clickParameters._fbp;

const fbpCookie = /^_fbp=(fb\.\d\.(\d{13})\.[1-9]\d{9}); Max-Age=7776000; Path=\/; SameSite=Lax$/;
const existing = 'fb.1.1558571054389.1098115397';

describe("the browser id for Meta's pixel", () => {
  it('sets _fbp for a browser without one, and stores it with the lead', async () => {
    const before = Date.now();
    const gone = await landing.visit(await pathOf({ mode: 'direct' }));
    const [, fbp = '', time] = fbpCookie.exec(cookieSet(gone, '_fbp')) ?? [];
    expect(await fbpOf(gone)).toBe(fbp);
    expect(Number(time)).toBeGreaterThanOrEqual(before);
    expect(Number(time)).toBeLessThanOrEqual(Date.now());
    expect(cookieSet(await landing.visit(await pathOf()), '_fbp')).toMatch(fbpCookie);
  });

  it.each([
    ['localhost', 0],
    ['shop.example', 1],
    ['go.shop.example:3000', 2],
  ])('sets _fbp for the host itself, with its subdomain index: %s', async (host, index) => {
    const gone = await landing.visit(await pathOf({ mode: 'direct' }), { headers: { host } });
    expect(cookieSet(gone, '_fbp')).toContain(`_fbp=fb.${index}.`);
  });

  it('sets _fbp with Secure if the visitor used TLS', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const gone = await landing.visit(await pathOf({ mode: 'direct' }), { headers });
    expect(cookieSet(gone, '_fbp')).toMatch(/; Path=\/; Secure; SameSite=Lax$/);
  });

  it.each([
    ['as the pixel makes it', existing],
    ["as Meta's parameter builder makes it", `${existing}.AQYBAQIA`],
    ['as an older parameter builder makes it', `${existing}.Bg`],
  ])('never replaces an existing _fbp: %s', async (_, fbp) => {
    const gone = await landing.visit(await pathOf({ mode: 'direct' }), { headers: { cookie: `_fbp=${fbp}` } });
    expect(cookieSet(gone, '_fbp')).toBe('');
    expect(await fbpOf(gone)).toBe(fbp);
  });

  it.each([
    '',
    'garbage',
    'fb.1.155.109',
    'fb.1.1558571054.1098115397',
    'fb.1.1558571054389.x',
    `${existing}.A`,
    `${existing}.AQYBAQIAx`,
    `${existing}.a b`,
  ])('replaces an invalid _fbp: %j', async (fbp) => {
    const gone = await landing.visit(await pathOf({ mode: 'direct' }), { headers: { cookie: `_fbp=${fbp}` } });
    expect(fbpCookie.exec(cookieSet(gone, '_fbp'))?.[1]).toBe(await fbpOf(gone));
  });

  it('sets _fbp only after consent on a page that asks for it', async () => {
    const page = await pathOf({ consentText: 'I agree' });
    expect(cookieSet(await landing.visit(page), '_fbp')).toBe('');
    const refused = await landing.submit(page);
    expect([cookieSet(refused, '_fbp'), await fbpOf(refused)]).toEqual(['', undefined]);
    const agreed = await landing.submit(page, { consent: 'yes' });
    expect(fbpCookie.exec(cookieSet(agreed, '_fbp'))?.[1]).toBe(await fbpOf(agreed));
  });

  it.each([
    ['Global Privacy Control', { 'sec-gpc': '1' }],
    ['a crawler', { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }],
    ['a prefetch', { 'sec-purpose': 'prefetch' }],
  ])('sets no _fbp for %s', async (_, headers) => {
    for (const page of [await pathOf(), await pathOf({ mode: 'direct' })]) {
      expect(cookieSet(await landing.visit(page, { headers }), '_fbp')).toBe('');
    }
  });

  it('records one lead for a form that is sent again with the cookies of the first response', async () => {
    const page = await pathOf({ consentText: 'I agree' });
    const form = { ...hiddenFieldsIn((await landing.visit(`${page}?gclid=G`)).html), consent: 'yes' };
    const first = await landing.visit(`${page}?gclid=G`, { form });
    const again = await landing.visit(`${page}?gclid=G`, { form, headers: sentBack(first) });
    expect(sentBack(first).cookie).toContain('_fbp=fb.3.');
    expect(again.location).toBe(first.location);
  });
});

const host = 'go.shop.example';
// of the host itself, and of the advertiser's pixel on the parent domain
const ours = 'fb.2.1558571054389.1098115397';
const pixels = 'fb.1.1554763741205.2114433221';
const expired = '_fbp=; Max-Age=0; Path=/; SameSite=Lax';

const sending = (ids: readonly string[], headers: Record<string, string> = {}) => ({
  host,
  cookie: ids.map((id) => `_fbp=${id}`).join('; '),
  ...headers,
});

const withdrawConsent = async (ids: readonly string[]) =>
  landing.submit(await pathOf({ consentText: 'I agree' }), {}, sending(ids));

const visitWithControl = async (ids: readonly string[]) =>
  landing.visit(await pathOf({ mode: 'direct' }), { headers: sending(ids, { 'sec-gpc': '1' }) });

describe("the browser ids of landing and of the advertiser's pixel", () => {
  it.each([
    ["the pixel's _fbp if it is sent first", [pixels, ours], pixels],
    ["the pixel's _fbp if it is sent last", [ours, pixels], pixels],
    ['the _fbp of Leadback if there is no other', [ours], ours],
    ['the _fbp of Leadback if the other is invalid', ['garbage', ours], ours],
  ])('stores with the lead %s', async (_, ids, expected) => {
    const gone = await landing.visit(await pathOf({ mode: 'direct' }), { headers: sending(ids) });
    expect([await fbpOf(gone), cookieSet(gone, '_fbp')]).toEqual([expected, '']);
  });

  describe.each([
    ['consent is withdrawn', withdrawConsent],
    ['the browser sends Global Privacy Control', visitWithControl],
  ])('if %s', (_, go) => {
    it('deletes the _fbp that Leadback set, and stores none with the lead', async () => {
      const gone = await go([ours]);
      expect([cookieSet(gone, '_fbp'), await fbpOf(gone)]).toEqual([expired, undefined]);
    });

    it("stores the pixel's _fbp with the lead and does not delete it", async () => {
      const gone = await go([pixels]);
      expect([cookieSet(gone, '_fbp'), await fbpOf(gone)]).toEqual(['', pixels]);
      const both = await go([ours, pixels]);
      expect([cookieSet(both, '_fbp'), await fbpOf(both)]).toEqual([expired, pixels]);
    });

    it('ignores an invalid _fbp', async () => {
      const gone = await go(['garbage']);
      expect([cookieSet(gone, '_fbp'), await fbpOf(gone)]).toEqual(['', undefined]);
    });
  });

  it('deletes all stored ids if a page is shown to a browser with Global Privacy Control', async () => {
    const page = await landing.givenPage();
    const headers = sending([ours], { 'sec-gpc': '1' });
    const shown = await landing.visit(`/${page.slug}`, {
      headers: { ...headers, cookie: `${headers.cookie}; ${clicksName(page)}=Zw` },
    });
    expect(cookieSet(shown, '_fbp')).toBe(expired);
    expect(cookieSet(shown, clicksName(page))).toMatch(/^clicks-\w+=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/);
  });
});
