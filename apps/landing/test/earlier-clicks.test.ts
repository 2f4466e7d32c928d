import { findLead, givenLandingPage, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { clickCookie, cookieSet, sentBack } from './cookies-set.ts';
import { givenLanding } from './given-landing.ts';
import type { Reply } from './visitor-of.ts';
import { referenceIn } from './reference-in.ts';

const dayMs = 86_400_000;
const daysAgo = (days: number) => Date.now() - days * dayMs;
const long = (letter: string) => letter.repeat(512);
const iso = (ms: number) => new Date(ms).toISOString();

describe('the clicks of earlier visits', async () => {
  const landing = await shared(givenLanding());

  const givenPage = (content: Parameters<typeof givenLandingPage>[1] = {}) =>
    givenLandingPage(landing.database.em(), content);
  const givenDirectPage = () => givenPage({ mode: 'direct' });
  const leadOf = async ({ location }: Reply) => {
    const lead = await findLead(landing.database.em(), referenceIn(location));
    const { _fbp, ...clickParameters } = lead.clickParameters;
    return { clickParameters, clickTimes: lead.clickTimes };
  };

  it('stores clicks for 90 days if the page asks for no consent, and attributes a later visit', async () => {
    const page = await givenPage();
    const before = Date.now();
    const first = await landing.visit(`/${page.slug}?gclid=G1%26a%3Db%253B&fbclid=F1&utm_source=x`);
    expect(cookieSet(first, 'click')).toMatch(
      new RegExp(`^click=[\\w-]+; Max-Age=7776000; Path=/${page.slug}; HttpOnly; SameSite=Lax$`),
    );
    const { clickParameters, clickTimes } = await leadOf(await landing.submit(`/${page.slug}`, {}, sentBack(first)));
    expect(clickParameters).toEqual({ gclid: 'G1&a=b%3B', fbclid: 'F1' });
    expect(Object.keys(clickTimes ?? {})).toEqual(['gclid', 'fbclid']);
    for (const time of Object.values(clickTimes ?? {})) {
      expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
    }
  });

  it('replaces a stored click only by a later click on the same platform', async () => {
    const page = await givenDirectPage();
    const [googleAt, metaAt] = [daysAgo(80), daysAgo(10)];
    const cookie = clickCookie({ google: googleAt, gclid: 'G1', gbraid: 'B1', meta: metaAt, fbclid: 'F1' });
    const google = await landing.visit(`/${page.slug}?gclid=G2`, { headers: { cookie } });
    expect(await leadOf(google)).toMatchObject({
      clickParameters: { gclid: 'G2', fbclid: 'F1' },
      clickTimes: { fbclid: iso(metaAt) },
    });
    const tiktok = await landing.visit(`/${page.slug}?ttclid=T1`, { headers: sentBack(google) });
    const lead = await leadOf(tiktok);
    expect(lead.clickParameters).toEqual({ gclid: 'G2', fbclid: 'F1', ttclid: 'T1' });
    expect(lead.clickTimes).toEqual({ gclid: expect.any(String), fbclid: iso(metaAt) });
    expect(Date.parse(lead.clickTimes?.gclid ?? '')).toBeGreaterThan(metaAt);
  });

  it('stores a click of a platform without connections, too', async () => {
    const page = await givenDirectPage();
    const first = await landing.visit(`/${page.slug}?ScCid=S1`);
    const next = await landing.visit(`/${page.slug}?rdt_cid=R1`, { headers: sentBack(first) });
    const { clickParameters } = await leadOf(await landing.visit(`/${page.slug}`, { headers: sentBack(next) }));
    expect(clickParameters).toEqual({ ScCid: 'S1', rdt_cid: 'R1' });
  });

  it('ignores each stored click after 90 days', async () => {
    const page = await givenDirectPage();
    const [googleAt, metaAt] = [daysAgo(91), daysAgo(89)];
    const cookie = clickCookie({ google: googleAt, gclid: 'G1', meta: metaAt, fbclid: 'F1' });
    expect(await leadOf(await landing.visit(`/${page.slug}`, { headers: { cookie } }))).toEqual({
      clickParameters: { fbclid: 'F1' },
      clickTimes: { fbclid: iso(metaAt) },
    });
  });

  it('drops the oldest stored clicks if the cookie is full', async () => {
    const page = await givenDirectPage();
    const kept = { google: daysAgo(3), gclid: long('g'), gbraid: long('b'), wbraid: long('w') };
    const cookie = clickCookie({ ...kept, meta: daysAgo(9), fbclid: long('f'), microsoft: daysAgo(1), msclkid: 'M1' });
    const clicked = await landing.visit(`/${page.slug}?ttclid=${long('t')}`, { headers: { cookie } });
    expect(cookieSet(clicked, 'click').length).toBeLessThan(4_096);
    const returned = await leadOf(await landing.visit(`/${page.slug}`, { headers: sentBack(clicked) }));
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
    const cookie = clickCookie({ google: daysAgo(3), gclid: 'G1' });
    const clicked = await landing.visit(`/${page.slug}?gclid=${encodeURIComponent('😀'.repeat(512))}`, {
      headers: { cookie },
    });
    expect(cookieSet(clicked, 'click')).toContain('click=; Max-Age=0');
  });

  it('stores clicks only after consent, and deletes them if consent is withdrawn', async () => {
    const page = await givenPage({ consentText: 'I agree' });
    const path = `/${page.slug}?gclid=G1`;
    expect(cookieSet(await landing.visit(path), 'click')).toBe('');
    expect(cookieSet(await landing.submit(path), 'click')).toBe('');
    const agreed = await landing.submit(path, { consent: 'yes' });
    expect(cookieSet(agreed, 'click')).toContain('click=');
    const withdrawn = await landing.submit(`/${page.slug}`, {}, sentBack(agreed));
    expect(cookieSet(withdrawn, 'click')).toContain('click=; Max-Age=0');
    expect((await leadOf(withdrawn)).clickParameters).toEqual({});
  });

  it('neither stores nor uses clicks if the browser sends Global Privacy Control', async () => {
    const page = await givenDirectPage();
    const first = await landing.visit(`/${page.slug}?gclid=G1`);
    const headers = { ...sentBack(first), 'sec-gpc': '1' };
    expect(headers.cookie).toContain('click=');
    const returned = await landing.visit(`/${page.slug}`, { headers });
    expect(cookieSet(returned, 'click')).toContain('click=; Max-Age=0');
    expect(await leadOf(returned)).toMatchObject({ clickParameters: {}, clickTimes: {} });
    const clicked = await landing.visit(`/${page.slug}?gclid=G1`, { headers: { 'sec-gpc': '1' } });
    expect(cookieSet(clicked, 'click')).toBe('');
  });

  it.each([
    ['garbage', 'click=%%%'],
    ['a future time', clickCookie({ google: daysAgo(-1), gclid: 'G' })],
    ['no time', clickCookie({ meta: daysAgo(1), gclid: 'G' })],
    ['an invalid time', clickCookie({ google: 'yesterday', gclid: 'G' })],
    ['no click id', clickCookie({ google: daysAgo(1), other: '1' })],
  ])('reads no clicks from a cookie with %s', async (_, cookie) => {
    const page = await givenDirectPage();
    const lead = await leadOf(await landing.visit(`/${page.slug}`, { headers: { cookie } }));
    expect(lead).toEqual({ clickParameters: {}, clickTimes: {} });
  });
});
