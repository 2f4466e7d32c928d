import { findLead, givenLandingPage, hiddenFieldsIn, hostileStrings, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';
import { referenceIn } from './reference-in.ts';

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
const target = /^https:\/\/shop\.example\/offer\?serviceId=[0-9A-Za-z]{22}$/;
const cookie =
  /^(click=[\w-]+; Max-Age=7776000; Path=\/[a-z0-9-]+; HttpOnly|lead-\w=\w{22}\.\d+\.\w{22}\.[\w-]{16}; Max-Age=7776000; Path=\/data; HttpOnly|_fbp=fb\.\d+\.\d{13}\.\d{10}; Max-Age=7776000; Path=\/); SameSite=Lax$/;

describe('a hostile visitor', async () => {
  const landing = await shared(givenLanding());

  it.each(hostileStrings.map((hostile) => [JSON.stringify(hostile), hostile]))(
    'redirects a hostile visitor like any other, without additional headers, with %s',
    async (_, hostile) => {
      const page = await givenLandingPage(landing.database.em(), { askedFields: ['name'] });
      const query = new URLSearchParams({ gclid: hostile, fbclid: hostile, utm_source: hostile, target: hostile });
      const header = encodeURIComponent(hostile.toWellFormed());
      const path = `/${page.slug}?${query.toString()}`;
      const own = hiddenFieldsIn((await landing.visit(path)).html);
      const { status, location, headers } = await landing.visit(path, {
        form: { ...own, name: `Ana ${hostile}`, referrer: hostile, [hostile]: hostile, target: hostile },
        headers: {
          referer: `https://x.example/${header}`,
          cookie: `click=${header}; _fbp=${header}; _fbc=${hostile.replace(/[^ -~]/g, '')}`,
          'x-forwarded-host': header,
          'accept-language': header,
        },
      });
      expect(status).toBe(303);
      expect(location).toMatch(target);
      expect(Object.keys(headers).filter((name) => !headersKnown.has(name))).toEqual([]);
      for (const set of headers['set-cookie'] ?? []) expect(set).toMatch(cookie);
      const lead = await findLead(landing.database.em(), referenceIn(location));
      expect(JSON.stringify(lead)).not.toMatch(/\\u00[01]|\\r|\\n/);
    },
  );

  it.each(hostileStrings.map((hostile) => [JSON.stringify(hostile), hostile]))(
    'records no consent from a form that claims that the page asked %s',
    async (_, hostile) => {
      const page = await givenLandingPage(landing.database.em(), { askedFields: ['name'], consentText: 'I agree' });
      const forged = { asked: hostile, token: hostile, proof: hostile, consent: 'yes' };
      const { status, html } = await landing.visit(`/${page.slug}`, { form: forged });
      expect([status, hiddenFieldsIn(html)['asked'], / checked>/.test(html)]).toEqual([422, 'sharing', false]);
      const { location } = await landing.visit(`/${page.slug}`, { form: { ...forged, name: 'Ana' } });
      const lead = await findLead(landing.database.em(), referenceIn(location));
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
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
    const long = part.repeat(Math.floor(12_000 / part.length)).trimEnd();
    for (const header of ['user-agent', 'accept-language', 'cookie', 'referer', 'sec-gpc', 'x-forwarded-for']) {
      const value = header === 'cookie' ? `_fbp=${long}` : `${long}x`;
      expect((await landing.visit(`/${page.slug}?gclid=1`, { headers: { [header]: value } })).status).toBe(302);
    }
    const query = new URLSearchParams({ gclid: long, utm_source: long });
    expect((await landing.visit(`/${page.slug}?${query.toString().slice(0, 12_000)}`)).status).toBe(302);
    const asking = await givenLandingPage(landing.database.em(), { askedFields: ['email'] });
    const { status } = await landing.submit(`/${asking.slug}`, { email: `${long.slice(0, 250)}@x.example` });
    expect([303, 422]).toContain(status);
  });

  it('puts no host of a request into a page or a redirect', async () => {
    const [shown, direct] = [
      await givenLandingPage(landing.database.em()),
      await givenLandingPage(landing.database.em(), { mode: 'direct' }),
    ];
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    for (const path of [`/${shown.slug}`, `/${direct.slug}`, '/data', '/nothing', '/robots.txt']) {
      const { html, location } = await landing.visit(path, { headers });
      expect(`${html} ${location}`).not.toContain('evil.example');
    }
  });
});
