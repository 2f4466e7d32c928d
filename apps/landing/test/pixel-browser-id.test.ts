import { Lead } from '@leadback/db';
import { givenLandingPage } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieSet } from './cookies-set.ts';
import { givenLanding, type Reply, type TestLanding } from './given-landing.ts';
import { referenceIn } from './reference-in.ts';

const host = 'go.shop.example';
// of the host itself, and of the shop's pixel on the parent domain
const ours = 'fb.2.1558571054389.1098115397';
const pixels = 'fb.1.1554763741205.2114433221';
const expired = '_fbp=; Max-Age=0; Path=/; SameSite=Lax';

const sending = (ids: readonly string[], headers: Record<string, string> = {}) => ({
  host,
  cookie: ids.map((id) => `_fbp=${id}`).join('; '),
  ...headers,
});

describe("the browser ids of landing and of the shop's pixel", () => {
  let landing: TestLanding;
  beforeAll(async () => {
    landing = await givenLanding();
  });
  afterAll(() => landing[Symbol.asyncDispose]());

  const givenPage = async (content: Parameters<typeof givenLandingPage>[1] = {}) =>
    `/${(await givenLandingPage(landing.database.em(), content)).slug}`;
  const markOf = async ({ location }: Reply) => {
    const lead = await landing.database.em().findOneOrFail(Lead, { reference: referenceIn(location) });
    return lead.clickParameters._fbp;
  };

  it.each([
    ["the pixel's, if it is sent first", [pixels, ours], pixels],
    ["the pixel's, if it is sent last", [ours, pixels], pixels],
    ['ours, if there is no other', [ours], ours],
    ['ours, if the other is none', ['garbage', ours], ours],
  ])('give the lead %s', async (_, ids, expected) => {
    const gone = await landing.visit(await givenPage({ mode: 'direct' }), { headers: sending(ids) });
    expect([await markOf(gone), cookieSet(gone, '_fbp')]).toEqual([expected, '']);
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
    it('has the browser delete ours, which no lead gets', async () => {
      const gone = await go([ours]);
      expect([cookieSet(gone, '_fbp'), await markOf(gone)]).toEqual([expired, undefined]);
    });

    it("keeps the pixel's with the lead, like its other cookies, and leaves it to the shop", async () => {
      const gone = await go([pixels]);
      expect([cookieSet(gone, '_fbp'), await markOf(gone)]).toEqual(['', pixels]);
      const both = await go([ours, pixels]);
      expect([cookieSet(both, '_fbp'), await markOf(both)]).toEqual([expired, pixels]);
    });

    it('keeps nothing that is no browser id', async () => {
      const gone = await go(['garbage']);
      expect([cookieSet(gone, '_fbp'), await markOf(gone)]).toEqual(['', undefined]);
    });
  });

  it('has the browser delete what it keeps as soon as a page is shown to Global Privacy Control', async () => {
    const page = await givenPage();
    const headers = sending([ours], { 'sec-gpc': '1' });
    const shown = await landing.visit(page, { headers: { ...headers, cookie: `${headers.cookie}; click=Zw` } });
    expect(cookieSet(shown, '_fbp')).toBe(expired);
    expect(cookieSet(shown, 'click')).toMatch(/^click=; Max-Age=0; Path=\/[^;]+; HttpOnly; SameSite=Lax$/);
  });
});
