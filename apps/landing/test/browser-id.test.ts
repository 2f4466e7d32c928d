import { findLead, givenLandingPage, hiddenFieldsIn, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { cookieSet, sentBack } from './cookies-set.ts';
import { givenLanding } from './given-landing.ts';
import type { Reply } from './visitor-of.ts';
import { referenceIn } from './reference-in.ts';

const fbpCookie = /^_fbp=(fb\.\d\.(\d{13})\.[1-9]\d{9}); Max-Age=7776000; Path=\/; SameSite=Lax$/;
const existing = 'fb.1.1558571054389.1098115397';

describe("the browser id for Meta's pixel", async () => {
  const landing = await shared(givenLanding());

  const givenPage = async (content: Parameters<typeof givenLandingPage>[1] = {}) =>
    `/${(await givenLandingPage(landing.database.em(), content)).slug}`;
  const fbpOf = async ({ location }: Reply) => {
    const lead = await findLead(landing.database.em(), referenceIn(location));
    return lead.clickParameters._fbp;
  };

  it('sets _fbp for a browser without one, and stores it with the lead', async () => {
    const before = Date.now();
    const gone = await landing.visit(await givenPage({ mode: 'direct' }));
    const [, fbp = '', time] = fbpCookie.exec(cookieSet(gone, '_fbp')) ?? [];
    expect(await fbpOf(gone)).toBe(fbp);
    expect(Number(time)).toBeGreaterThanOrEqual(before);
    expect(Number(time)).toBeLessThanOrEqual(Date.now());
    expect(cookieSet(await landing.visit(await givenPage()), '_fbp')).toMatch(fbpCookie);
  });

  it.each([
    ['localhost', 0],
    ['shop.example', 1],
    ['go.shop.example:3000', 2],
  ])('sets _fbp for the host itself, with its subdomain index: %s', async (host, index) => {
    const gone = await landing.visit(await givenPage({ mode: 'direct' }), { headers: { host } });
    expect(cookieSet(gone, '_fbp')).toContain(`_fbp=fb.${index}.`);
  });

  it('sets _fbp with Secure if the visitor used TLS', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const gone = await landing.visit(await givenPage({ mode: 'direct' }), { headers });
    expect(cookieSet(gone, '_fbp')).toMatch(/; Path=\/; Secure; SameSite=Lax$/);
  });

  it.each([
    ['as the pixel makes it', existing],
    ["as Meta's parameter builder makes it", `${existing}.AQYBAQIA`],
    ['as an older parameter builder makes it', `${existing}.Bg`],
  ])('never replaces an existing _fbp: %s', async (_, fbp) => {
    const gone = await landing.visit(await givenPage({ mode: 'direct' }), { headers: { cookie: `_fbp=${fbp}` } });
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
    const gone = await landing.visit(await givenPage({ mode: 'direct' }), { headers: { cookie: `_fbp=${fbp}` } });
    expect(fbpCookie.exec(cookieSet(gone, '_fbp'))?.[1]).toBe(await fbpOf(gone));
  });

  it('sets _fbp only after consent on a page that asks for it', async () => {
    const page = await givenPage({ consentText: 'I agree' });
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
    for (const page of [await givenPage(), await givenPage({ mode: 'direct' })]) {
      expect(cookieSet(await landing.visit(page, { headers }), '_fbp')).toBe('');
    }
  });

  it('records one lead for a form that is sent again with the cookies of the first response', async () => {
    const page = await givenPage({ consentText: 'I agree' });
    const form = { ...hiddenFieldsIn((await landing.visit(`${page}?gclid=G`)).html), consent: 'yes' };
    const first = await landing.visit(`${page}?gclid=G`, { form });
    const again = await landing.visit(`${page}?gclid=G`, { form, headers: sentBack(first) });
    expect(sentBack(first).cookie).toContain('_fbp=fb.3.');
    expect(again.location).toBe(first.location);
  });
});
