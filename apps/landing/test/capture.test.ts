import { findLead, givenLandingPage, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';
import { referenceIn } from './reference-in.ts';

/** A header in UTF-8, as node sends it byte by byte. */
const bytes = (text: string) => Buffer.from(text).toString('latin1');

describe('the lead of a visitor', async () => {
  const landing = await shared(givenLanding());

  /** The lead of a visit to a direct page. */
  const leadOf = async (query: string, headers: Record<string, string> = {}) => {
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
    const { location } = await landing.visit(`/${page.slug}?${query}`, { headers });
    const lead = await findLead(landing.database.em(), referenceIn(location));
    return { page, lead };
  };

  it('stores all click parameters, cookies and request data of a visit unchanged', async () => {
    const parameters = {
      gclid: 'Cj0-_x',
      gbraid: 'b1',
      wbraid: 'w1',
      fbclid: 'IwAR2 F4+ü',
      ttclid: 'E.C.P',
      msclkid: 'm1',
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
      gad_source: '1',
      gad_campaignid: '20312345678',
    };
    const query = new URLSearchParams(parameters).toString();
    const { page, lead } = await leadOf(query, {
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
    ['the first of several values', 'gclid=first&gclid=second', 'first'],
    ['the first non-empty value', 'gclid=&gclid=%20&gclid', ' '],
    ['percent-encoded UTF-8', 'gclid=a%C3%B1o%2Bb', 'año+b'],
    ['bytes that are not UTF-8 as they were written', 'gclid=a%F1o+b%ff', 'a%F1o+b%ff'],
    ['a value with an equals sign', 'gclid=a=b==', 'a=b=='],
    ['half an escape', 'gclid=a%E', 'a%E'],
    ['a value among unknown parameters', '?&&=&__proto__=1&gclid[]=0&gclid=G&constructor', 'G'],
    ['a value without its control characters', 'gclid=%00G%0d%0aSet-Cookie:%20a', 'GSet-Cookie: a'],
    ['the first 512 characters of 8 KB', `gclid=${'%F0%9F%91%9F'.repeat(680)}`, '👟'.repeat(512)],
  ])('stores as click id: %s', async (_, query, gclid) => {
    const { lead } = await leadOf(query);
    expect(lead.clickParameters).toEqual({ gclid, _fbp: expect.any(String) });
  });

  it('decodes headers in UTF-8, and all others as ISO 8859-1', async () => {
    const { lead } = await leadOf('', {
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
    const { lead } = await leadOf('', { 'x-forwarded-for': forwarded });
    expect(lead.ipAddress).toBe(ipAddress);
  });

  it.each([
    [0, '127.0.0.1', 'http:'],
    [2, '198.51.100.1', 'https:'],
  ])('trusts only the configured number of proxies: %i', async (trustProxyHops, ipAddress, protocol) => {
    await using behind = await givenLanding({ trustProxyHops });
    const page = await givenLandingPage(behind.database.em(), { mode: 'direct' });
    const { location } = await behind.visit(`/${page.slug}`, {
      headers: { 'x-forwarded-for': '192.0.2.66, 198.51.100.1, 203.0.113.7', 'x-forwarded-proto': 'https' },
    });
    const lead = await findLead(behind.database.em(), referenceIn(location));
    expect([lead.ipAddress, new URL(lead.landingUrl ?? '').protocol]).toEqual([ipAddress, protocol]);
  });

  it('stores Global Privacy Control with the lead', async () => {
    const { lead } = await leadOf('gclid=G', { 'sec-gpc': '1' });
    expect(lead.globalPrivacyControl).toBe(true);
  });
});
