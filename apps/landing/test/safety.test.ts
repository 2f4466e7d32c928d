import { Lead } from '@leadback/db';
import { hiddenFieldsIn, hostileStrings, rawAnswer, shared, smugglingCorpus } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { clicksName, givenLanding } from './given-landing.ts';

const headersKnown = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'location',
  'origin-agent-cluster',
  'referrer-policy',
  'set-cookie',
  'vary',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-request-id',
  'x-xss-protection',
]);
// what a page hands on of a click, encoded
const target =
  /^https:\/\/shop\.example\/offer\?((?:gclid|fbclid|utm_source)=[\w%.~!*'()-]*&)*serviceId=[0-9A-Za-z]{22}$/;
const cookie =
  /^(clicks-\w+=[\w-]+; Max-Age=7776000; Path=\/; HttpOnly|lead-\w=\w{22}\.\d+\.\w{22}\.[\w-]{16}; Max-Age=7776000; Path=\/data; HttpOnly|_fbp=fb\.\d+\.\d{13}\.\d{10}; Max-Age=7776000; Path=\/); SameSite=Lax$/;

describe('a hostile visitor', async () => {
  const landing = await shared(givenLanding());

  it.each(hostileStrings.map((hostile) => [JSON.stringify(hostile), hostile]))(
    'redirects a hostile visitor like any other, without additional headers, with %s',
    async (_, hostile) => {
      const page = await landing.givenPage({ askedFields: ['name'] });
      const query = new URLSearchParams({ gclid: hostile, fbclid: hostile, utm_source: hostile, target: hostile });
      const header = encodeURIComponent(hostile.toWellFormed());
      const path = `/${page.slug}?${query.toString()}`;
      const own = hiddenFieldsIn((await landing.visit(path)).html);
      const { status, location, headers } = await landing.visit(path, {
        form: { ...own, name: `Ana ${hostile}`, referrer: hostile, [hostile]: hostile, target: hostile },
        headers: {
          referer: `https://x.example/${header}`,
          cookie: `${clicksName(page)}=${header}; _fbp=${header}; _fbc=${hostile.replace(/[^ -~]/g, '')}`,
          'x-forwarded-host': header,
          'accept-language': header,
        },
      });
      expect(status).toBe(303);
      expect(location).toMatch(target);
      expect(Object.keys(headers).filter((name) => !headersKnown.has(name))).toEqual([]);
      for (const set of headers['set-cookie'] ?? []) expect(set).toMatch(cookie);
      const lead = await landing.leadOf({ location });
      expect(JSON.stringify(lead)).not.toMatch(/\\u00[01]|\\r|\\n/);
    },
  );

  it.each(hostileStrings.map((hostile) => [JSON.stringify(hostile), hostile]))(
    'records no consent from a form that claims that the page asked %s',
    async (_, hostile) => {
      const page = await landing.givenPage({ askedFields: ['name'], consentText: 'I agree' });
      const forged = { asked: hostile, token: hostile, proof: hostile, consent: 'yes' };
      const { status, html } = await landing.visit(`/${page.slug}`, { form: forged });
      expect([status, hiddenFieldsIn(html)['asked'], / checked>/.test(html)]).toEqual([422, 'sharing', false]);
      const { location } = await landing.visit(`/${page.slug}`, { form: { ...forged, name: 'Ana' } });
      const lead = await landing.leadOf({ location });
      expect(lead).toMatchObject({ consent: false, consentScope: 'sharing' });
    },
  );

  // what makes an expression with two ways to read a text try all of them
  it.each([
    ['one letter', 'a'],
    ['blanks', ' '],
    ['a browser', 'Mozilla/5.0 (X11; '],
    ['languages', 'es-AR;q=0.9,'],
    ['cookies', 'fb.1.1558571054389.'],
    ['dots and dashes', '.-'],
  ])('redirects also with headers and values of 12 KB of %s', async (_, part) => {
    const page = await landing.givenPage({ mode: 'direct' });
    const long = part.repeat(Math.floor(12_000 / part.length)).trimEnd();
    for (const header of ['user-agent', 'accept-language', 'cookie', 'referer', 'sec-gpc', 'x-forwarded-for']) {
      const value = header === 'cookie' ? `_fbp=${long}` : `${long}x`;
      expect((await landing.visit(`/${page.slug}?gclid=1`, { headers: { [header]: value } })).status).toBe(302);
    }
    const query = new URLSearchParams({ gclid: long, utm_source: long });
    expect((await landing.visit(`/${page.slug}?${query.toString().slice(0, 12_000)}`)).status).toBe(302);
    const asking = await landing.givenPage({ askedFields: ['email'] });
    const { status } = await landing.submit(`/${asking.slug}`, { email: `${long.slice(0, 250)}@x.example` });
    expect([303, 422]).toContain(status);
  });

  it('puts no host of a request into a page or a redirect', async () => {
    const [shown, direct] = [await landing.givenPage(), await landing.givenPage({ mode: 'direct' })];
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    for (const path of [`/${shown.slug}`, `/${direct.slug}`, '/data', '/nothing', '/robots.txt']) {
      const { html, location } = await landing.visit(path, { headers });
      expect(`${html} ${location}`).not.toContain('evil.example');
    }
  });
});

const headers = [
  'Content-Type: application/x-www-form-urlencoded',
  'User-Agent: Mozilla/5.0 (X11; Linux) Firefox/140.0',
];
const visiting = (slug: string) => [`GET /${slug}?gclid=hidden HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const corpus = (slug: string) => smugglingCorpus({ path: `/${slug}-form`, headers, hidden: visiting(slug) });

describe('a landing page behind a proxy', async () => {
  const landing = await shared(givenLanding());
  const { slug } = await landing.givenPage({ mode: 'direct' });

  it.each(corpus('').map(({ name }, index) => [name, index] as const))(
    'closes the connection after a request with %s, and does not run the request inside',
    async (_name, index) => {
      const answer = await rawAnswer(landing.port, corpus(slug)[index]?.wire ?? '');
      expect(answer.match(/^HTTP\/1\.1 \d{3}/gm)).toEqual(['HTTP/1.1 400']);
      expect(await landing.database.em().count(Lead)).toBe(0);
    },
  );

  // after the others: what they hide may run late
  it('runs the request that the others hide only if it is sent alone', async () => {
    const alone = visiting(slug).replace('Host: x', 'Host: x\r\nConnection: close');
    expect(await rawAnswer(landing.port, alone)).toMatch(/^HTTP\/1\.1 302/);
    expect(await landing.database.em().count(Lead)).toBe(1);
  });
});
