import { Lead } from '@leadback/db';
import { givenLandingPage, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';
import { referenceIn } from './reference-in.ts';

const target = 'https://shop.example/offer';

describe('a page in direct mode', async () => {
  const landing = await shared(givenLanding());

  const givenPage = () => givenLandingPage(landing.database.em(), { mode: 'direct' });
  const leadsOf = ({ id }: { id: number }) => landing.database.em().count(Lead, { landingPage: id });

  it.each([
    ['a prefetch', { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'document' }],
    ['a prerender', { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-dest': 'document' }],
    ['a prefetch of a link', { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'empty' }],
    ['a prefetch of an older browser', { purpose: 'prefetch' }],
    ['a prefetch of an older Firefox', { 'x-moz': 'prefetch' }],
    ['a prefetch of an app', { 'x-purpose': 'preview' }],
  ])('declines %s, so that the browser requests the page again at the click', async (_, headers) => {
    const page = await givenPage();
    const declined = await landing.visit(`/${page.slug}?gclid=G`, { headers });
    expect([declined.status, declined.location]).toEqual([503, undefined]);
    expect(declined.headers['cache-control']).toBe('no-store');
    expect(declined.headers['set-cookie']).toBeUndefined();
    expect(declined.html.length).toBeLessThan(100);
    expect(await leadsOf(page)).toBe(0);
    expect(referenceIn((await landing.visit(`/${page.slug}?gclid=G`)).location)).not.toBe('');
  });

  it.each(['image', 'iframe', 'script', 'empty'])(
    'records no lead for a direct page that is loaded as %s',
    async (destination) => {
      const page = await givenPage();
      const headers = { 'sec-fetch-dest': destination };
      const sent = await landing.visit(`/${page.slug}?gclid=G`, { headers });
      expect([sent.status, sent.location, sent.headers['cache-control']]).toEqual([302, target, 'no-store']);
      expect(sent.headers['set-cookie']).toBeUndefined();
      expect(await leadsOf(page)).toBe(0);
    },
  );

  it.each([
    ['of a browser that says so', { 'sec-fetch-dest': 'document' }],
    ['of a browser that does not say', {}],
  ])('records a lead for a navigation %s', async (_, headers) => {
    const page = await givenPage();
    const { status, location } = await landing.visit(`/${page.slug}?gclid=G`, { headers });
    expect([status, referenceIn(location)]).toEqual([302, expect.stringMatching(/^[0-9A-Za-z]{22}$/)]);
    expect(await leadsOf(page)).toBe(1);
  });

  it.each([
    ['a crawler', { headers: { 'user-agent': 'facebookexternalhit/1.1' } }],
    ['a command-line client', { headers: { 'user-agent': 'curl/8.1' } }],
    ['a link preview', { headers: { 'user-agent': 'WhatsApp/2.23.20.0' } }],
    ['HEAD', { method: 'HEAD' }],
  ])('redirects %s without a lead reference and records no lead', async (_, visit) => {
    const page = await givenPage();
    const { status, location } = await landing.visit(`/${page.slug}?gclid=G`, visit);
    expect([status, location]).toEqual([302, target]);
    expect(await leadsOf(page)).toBe(0);
  });

  it('adds the lead reference to the query of the target page, and redirects without a body', async () => {
    const targetUrl = 'https://shop.example/añejo?a=1&b=%20x#top';
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct', targetUrl });
    const { location, html, headers } = await landing.visit(`/${page.slug}?gclid=G`);
    expect(location).toMatch(/^https:\/\/shop\.example\/a%C3%B1ejo\?a=1&b=%20x&serviceId=[0-9A-Za-z]{22}#top$/);
    expect([html, headers['content-length']]).toEqual(['', '0']);
    const bot = await landing.visit(`/${page.slug}`, { headers: { 'user-agent': 'curl/8.1' } });
    expect(bot.location).toBe('https://shop.example/a%C3%B1ejo?a=1&b=%20x#top');
  });

  it('percent-encodes what the URL standard leaves as it is in the URL of the target page', async () => {
    const targetUrl = 'https://shop.example/50%?name={name}&tick=`#{`';
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct', targetUrl });
    const { location } = await landing.visit(`/${page.slug}?gclid=G`);
    expect(location?.replace(referenceIn(location), 'R')).toBe(
      'https://shop.example/50%25?name=%7Bname%7D&tick=%60&serviceId=R#%7B%60',
    );
    const bot = await landing.visit(`/${page.slug}`, { headers: { 'user-agent': 'curl/8.1' } });
    expect(bot.location).toBe('https://shop.example/50%25?name=%7Bname%7D&tick=%60#%7B%60');
  });
});
