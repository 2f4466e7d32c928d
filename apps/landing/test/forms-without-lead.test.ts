import { Lead } from '@leadback/db';
import { givenLandingPage, hiddenFieldsIn, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';
import type { Reply } from './visitor-of.ts';
import { referenceIn } from './reference-in.ts';

const redirectedWithoutReference = (sent: Reply) => {
  expect([sent.status, sent.location]).toEqual([303, 'https://shop.example/offer']);
  expect([sent.headers['set-cookie'], sent.headers['cache-control']]).toEqual([undefined, 'no-store']);
};

describe('a form that no visitor sent', async () => {
  const landing = await shared(givenLanding());

  const leadsOf = ({ id }: { id: number }) => landing.database.em().count(Lead, { landingPage: id });

  it.each(['image', 'iframe', 'script', 'empty'])(
    'records no lead for a form whose response is used as %s',
    async (destination) => {
      const page = await givenLandingPage(landing.database.em(), { askedFields: ['name'] });
      const own = hiddenFieldsIn((await landing.visit(`/${page.slug}?gclid=G`)).html);
      const send = (headers: Record<string, string>, name = 'Ana') =>
        landing.visit(`/${page.slug}?gclid=G`, { form: { ...own, name }, headers });
      redirectedWithoutReference(await send({ 'sec-fetch-dest': destination }));
      redirectedWithoutReference(await send({ 'sec-fetch-dest': destination }, ''));
      expect(await leadsOf(page)).toBe(0);
      const { location } = await send({ 'sec-fetch-dest': 'document' });
      expect(referenceIn(location)).toMatch(/^[0-9A-Za-z]{22}$/);
      expect(await leadsOf(page)).toBe(1);
    },
  );

  it.each([
    ['of a browser that says what it asks for', { 'sec-fetch-dest': 'document' }],
    ['of a browser that does not say', {}],
  ])('records no lead for a form sent to a direct page: %s', async (_, headers) => {
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
    const form = { token: 'T', consent: 'yes' };
    redirectedWithoutReference(await landing.visit(`/${page.slug}?gclid=G`, { form, headers }));
    expect(await leadsOf(page)).toBe(0);
  });
});
