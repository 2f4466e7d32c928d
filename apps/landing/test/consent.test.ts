import { Lead } from '@leadback/db';
import { givenLandingPage } from '@leadback/given';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenLanding, type Reply, type TestLanding } from './given-landing.ts';
import { referenceIn } from './reference-in.ts';

const cookieOf = ({ headers }: Reply) => [headers['set-cookie'] ?? []].flat()[0] ?? '';
const clickCookie = (kept: string) => `click=${Buffer.from(kept).toString('base64url')}`;
/** As the browser sends it back. */
const sentBack = (reply: Reply) => ({ cookie: cookieOf(reply).split(';')[0] ?? '' });

describe('what a visitor agrees to', () => {
  let landing: TestLanding;
  beforeAll(async () => {
    landing = await givenLanding();
  });
  afterAll(() => landing[Symbol.asyncDispose]());

  const leadOf = ({ location }: Reply) =>
    landing.database.em().findOneOrFail(Lead, { reference: referenceIn(location) });

  it.each([
    ['ticked', { consent: 'yes' }, true],
    ['unticked', {}, false],
  ])('is recorded with the lead: %s', async (_, form, consent) => {
    const page = await givenLandingPage(landing.database.em(), {
      consentText: 'I agree',
      consentScope: 'personalisation',
      privacyUrl: 'https://shop.example/privacy',
    });
    expect((await landing.visit(`/${page.slug}`)).html).toContain('href="https://shop.example/privacy"');
    const gone = await landing.visit(`/${page.slug}`, { form, headers: { 'sec-gpc': '1' } });
    expect(await leadOf(gone)).toMatchObject({ consent, consentScope: 'personalisation', globalPrivacyControl: true });
  });

  it('is what was asked when the page was shown, whatever the page asks by now', async () => {
    const em = landing.database.em();
    const silent = await givenLandingPage(em);
    const asking = await givenLandingPage(em, { consentText: 'I agree', consentScope: 'personalisation' });
    const askedOf = async ({ slug }: { slug: string }) =>
      /name="asked" value="([^"]+)"/.exec((await landing.visit(`/${slug}`)).html)?.[1] ?? '';
    const unasked = await landing.visit(`/${asking.slug}`, { form: { asked: await askedOf(silent) } });
    expect(await leadOf(unasked)).toMatchObject({ consent: null, consentScope: null });
    const asked = await landing.visit(`/${silent.slug}`, { form: { asked: await askedOf(asking), consent: 'yes' } });
    expect(await leadOf(asked)).toMatchObject({ consent: true, consentScope: 'personalisation' });
    const without = await landing.visit(`/${asking.slug}`, { form: { asked: 'garbage' } });
    expect(await leadOf(without)).toMatchObject({ consent: false, consentScope: 'personalisation' });
  });

  it('has the click remembered for 90 days where nobody was asked, so that whoever returns is attributed', async () => {
    const page = await givenLandingPage(landing.database.em());
    const first = await landing.visit(`/${page.slug}?gclid=G1%26a%3Db%253B&fbclid=F1&utm_source=x`);
    expect(cookieOf(first)).toMatch(
      new RegExp(`^click=[\\w-]+; Max-Age=7776000; Path=/${page.slug}; HttpOnly; SameSite=Lax$`),
    );
    const returned = await landing.visit(`/${page.slug}`, { form: {}, headers: sentBack(first) });
    const lead = await leadOf(returned);
    expect(lead.clickMarks).toEqual({ gclid: 'G1&a=b%3B', fbclid: 'F1' });
    expect(lead.clickedAt).toBeInstanceOf(Date);
    const newClick = await landing.visit(`/${page.slug}?gclid=G2`, { form: {}, headers: sentBack(first) });
    expect(await leadOf(newClick)).toMatchObject({ clickMarks: { gclid: 'G2' }, clickedAt: null });
  });

  it('is asked before the click is remembered', async () => {
    const page = await givenLandingPage(landing.database.em(), { consentText: 'I agree' });
    const visit = (form?: Record<string, string>, headers = {}) =>
      landing.visit(`/${page.slug}?gclid=G1`, form ? { form, headers } : {});
    expect(cookieOf(await visit())).toBe('');
    expect(cookieOf(await visit({}))).toBe('');
    const agreed = await visit({ consent: 'yes' });
    expect(cookieOf(agreed)).toContain('click=');
    const withdrawn = await landing.visit(`/${page.slug}`, { form: {}, headers: sentBack(agreed) });
    expect(cookieOf(withdrawn)).toContain('click=; Max-Age=0');
    expect((await leadOf(withdrawn)).clickMarks).toEqual({});
  });

  it('is nothing where the browser says so: no click is remembered, and an old one is forgotten', async () => {
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
    const first = await landing.visit(`/${page.slug}?gclid=G1`);
    const headers = { ...sentBack(first), 'sec-gpc': '1' };
    expect(headers.cookie).toContain('click=');
    const returned = await landing.visit(`/${page.slug}`, { headers });
    expect(cookieOf(returned)).toContain('click=; Max-Age=0');
    expect((await leadOf(returned)).clickMarks).toEqual({});
    expect(cookieOf(await landing.visit(`/${page.slug}?gclid=G1`, { headers: { 'sec-gpc': '1' } }))).toBe('');
  });

  it.each([
    ['garbage', 'click=%%%'],
    ['a time to come', clickCookie(`at=${Date.now() + 60_000}&gclid=G`)],
    ['91 days ago', clickCookie(`at=${Date.now() - 91 * 86_400_000}&gclid=G`)],
    ['no click id', clickCookie(`at=${Date.now()}&other=1`)],
  ])('is not read from a cookie with %s', async (_, cookie) => {
    const page = await givenLandingPage(landing.database.em(), { mode: 'direct' });
    expect(await leadOf(await landing.visit(`/${page.slug}`, { headers: { cookie } }))).toMatchObject({
      clickMarks: {},
      clickedAt: null,
    });
  });
});
