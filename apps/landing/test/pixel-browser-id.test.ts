import { findLead, givenLandingPage, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { cookieSet } from './cookies-set.ts';
import { givenLanding } from './given-landing.ts';
import type { Reply } from './visitor-of.ts';
import { referenceIn } from './reference-in.ts';

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

describe("the browser ids of landing and of the advertiser's pixel", async () => {
  const landing = await shared(givenLanding());

  const givenPage = async (content: Parameters<typeof givenLandingPage>[1] = {}) =>
    `/${(await givenLandingPage(landing.database.em(), content)).slug}`;
  const fbpOf = async ({ location }: Reply) => {
    const lead = await findLead(landing.database.em(), referenceIn(location));
    return lead.clickParameters._fbp;
  };

  it.each([
    ["the pixel's _fbp if it is sent first", [pixels, ours], pixels],
    ["the pixel's _fbp if it is sent last", [ours, pixels], pixels],
    ['the _fbp of Leadback if there is no other', [ours], ours],
    ['the _fbp of Leadback if the other is invalid', ['garbage', ours], ours],
  ])('stores with the lead %s', async (_, ids, expected) => {
    const gone = await landing.visit(await givenPage({ mode: 'direct' }), { headers: sending(ids) });
    expect([await fbpOf(gone), cookieSet(gone, '_fbp')]).toEqual([expected, '']);
  });

  const requester = { consentText: 'I agree' } as const;
  const withdrawConsent = async (ids: readonly string[]) =>
    landing.submit(await givenPage(requester), {}, sending(ids));
  const visitWithControl = async (ids: readonly string[]) =>
    landing.visit(await givenPage({ mode: 'direct' }), { headers: sending(ids, { 'sec-gpc': '1' }) });

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
    const page = await givenPage();
    const headers = sending([ours], { 'sec-gpc': '1' });
    const shown = await landing.visit(page, { headers: { ...headers, cookie: `${headers.cookie}; click=Zw` } });
    expect(cookieSet(shown, '_fbp')).toBe(expired);
    expect(cookieSet(shown, 'click')).toMatch(/^click=; Max-Age=0; Path=\/[^;]+; HttpOnly; SameSite=Lax$/);
  });
});
