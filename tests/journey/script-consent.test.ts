import { eventually, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { fieldsOn, form, givenSites, keptIn, nothingKept, referenceOn, reportsIn } from '../support/given-sites.ts';

const reference: unknown = expect.stringMatching(/^[0-9A-Za-z]{22}$/);
const sites = await shared(givenSites());

/** A visitor on a page with a click, and what the script has sent of it. */
const givenVisit = async (given: { readonly attributes?: string; readonly head?: string; readonly gpc?: boolean }) => {
  const { attributes = '', head = '', gpc = false } = given;
  const site = await sites.givenSite({
    html: ({ snippet }) => head + snippet.replace('<script', `<script ${attributes}`) + form,
  });
  const window = await sites.open(gpc ? { extraHTTPHeaders: { 'sec-gpc': '1' } } : {});
  const { context, page } = window;
  const reports = reportsIn(context);
  if (gpc) await page.addInitScript(`Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })`);
  await page.goto(site.url('/?gclid=G-1'));
  return {
    site,
    context,
    page,
    reports,
    /** What is sent, kept and shown. */
    state: async () => ({
      reports: reports.bodies.length,
      kept: await keptIn(page),
      reference: await referenceOn(page),
      fields: await fieldsOn(page),
    }),
    [Symbol.asyncDispose]: () => window[Symbol.asyncDispose](),
  };
};

const untouched = { reports: 0, kept: nothingKept, reference: null, fields: [''] };
const gtag = `dataLayer = []; function gtag() { dataLayer.push(arguments); }`;
const refusedByDefault = `gtag('consent', 'default', { ad_storage: 'denied', ad_user_data: 'denied', ad_personalization: 'denied' });`;
const consentMode = (more = refusedByDefault) => `<script>${gtag} ${more}</script>`;
const update = (words: string) => `gtag('consent', 'update', ${words})`;
const framework = `<script>__tcfapi = (command, version, listener) => { told = (data) => listener({ purpose: { consents: {} }, ...data }, true); };</script>`;

describe('the script, while consent is open', () => {
  it.each([
    ['the tag says so', { attributes: 'data-consent="wait"' }],
    ["Google's consent mode refuses until the visitor is asked", { head: consentMode() }],
    [
      'one of several regions has to be asked',
      {
        head: consentMode(`gtag('consent', 'default', { ad_storage: 'granted', ad_user_data: 'granted' });
          gtag('consent', 'default', { ad_storage: 'denied', ad_user_data: 'denied', region: ['ES'] });`),
      },
    ],
    ['a consent platform of IAB is there', { head: framework }],
  ])('sends, keeps and fills nothing if %s, and all of it once the visitor agrees', async (_, given) => {
    await using visit = await givenVisit(given);
    const { page } = visit;
    await page.evaluate(`history.pushState({}, '', '/next'); dispatchEvent(new Event('submit'))`);
    expect(await visit.state()).toEqual(untouched);
    await page.evaluate(`leadback.consent('granted')`);
    const issued = await referenceOn(page);
    expect([issued, await fieldsOn(page)]).toEqual([reference, [issued]]);
    expect(await visit.site.leads()).toMatchObject([{ clickParameters: { gclid: 'G-1' }, consent: true }]);
  });

  it('sends and keeps nothing while consent is denied', async () => {
    await using visit = await givenVisit({ attributes: 'data-consent="denied"' });
    await visit.page.goto(visit.site.url('/?fbclid=F-1'));
    expect(await visit.state()).toEqual(untouched);
  });
});

describe('the script hears', () => {
  it.each([
    [
      "Google's consent mode",
      consentMode(),
      update(`{ ad_storage: 'granted', ad_user_data: 'granted', ad_personalization: 'granted' }`),
      { consent: true },
    ],
    [
      "Google's consent mode: no personalization",
      consentMode(),
      update(`{ ad_storage: 'granted', ad_user_data: 'granted' }`),
      { consent: false, consentScope: 'personalisation', adUserData: true },
    ],
    [
      'an agreement that came before it',
      consentMode(
        refusedByDefault + update(`{ ad_storage: 'granted', ad_user_data: 'granted', ad_personalization: 'granted' }`),
      ),
      '0',
      { consent: true },
    ],
    [
      "IAB's framework",
      framework,
      `told({ eventStatus: 'cmpuishown' }); told({ eventStatus: 'useractioncomplete', gdprApplies: true, purpose: { consents: { 1: true, 3: true, 4: true } } })`,
      { consent: true },
    ],
    [
      "IAB's framework: no personalised ads",
      framework,
      `told({ eventStatus: 'tcloaded', gdprApplies: true, purpose: { consents: { 1: true, 3: true } } })`,
      { consent: false, consentScope: 'personalisation', adUserData: true },
    ],
    [
      "IAB's framework where it does not apply",
      framework,
      `told({ eventStatus: 'tcloaded', gdprApplies: false })`,
      { consent: null },
    ],
    ['what the tag says', `<script>${gtag}</script>`, '0', { consent: null }],
  ])('%s', async (_, head, said, lead) => {
    await using visit = await givenVisit({ head });
    await visit.page.evaluate(said);
    await expect.poll(() => fieldsOn(visit.page)).toEqual([reference]);
    expect(await visit.site.leads()).toMatchObject([lead]);
  });

  it.each([
    ["Google's consent mode", consentMode(), update(`{ analytics_storage: 'granted' }`)],
    ["IAB's framework", framework, `told({ eventStatus: 'useractioncomplete', gdprApplies: true })`],
    ['a page', '', `leadback.consent('denied')`],
  ])('a refusal from %s', async (_, head, said) => {
    await using visit = await givenVisit({ head, attributes: head === '' ? 'data-consent="wait"' : '' });
    await visit.page.evaluate(said);
    await visit.page.reload();
    await visit.page.evaluate(said);
    expect(await visit.state()).toEqual(untouched);
    expect(await visit.site.leads()).toEqual([]);
  });
});

describe('consent that is withdrawn', () => {
  it.each([
    ['by the page', '', `leadback.consent('denied')`],
    [
      "by Google's consent mode",
      consentMode(update(`{ ad_storage: 'granted', ad_user_data: 'granted' }`)),
      update(`{ ad_user_data: 'denied' }`),
    ],
  ])('%s removes what the browser keeps, empties the form, and withdraws that of the lead', async (_, head, said) => {
    await using visit = await givenVisit({ head });
    const { page, site, reports } = visit;
    await expect.poll(() => fieldsOn(page)).toEqual([reference]);
    await page.evaluate(
      `told = []; document.addEventListener('leadback:reference', ({ detail }) => told.push(detail))`,
    );
    await page.evaluate(said);
    await expect.poll(() => fieldsOn(page)).toEqual(['']);
    expect([await keptIn(page), await referenceOn(page), await page.evaluate('told')]).toEqual([
      nothingKept,
      null,
      [''],
    ]);
    await eventually(async () => expect(await site.leads()).toMatchObject([{ consentWithdrawnAt: expect.any(Date) }]));
    expect(reports.bodies).toHaveLength(2);
    expect(reports.bodies[1]).not.toContain('G-1');
  });

  it('before the click is answered withdraws that of the lead, too', async () => {
    await using visit = await givenVisit({ attributes: 'data-consent="wait"' });
    const { page, site, context } = visit;
    const answered = Promise.withResolvers<void>();
    await context.route(
      '**/lead',
      async (route) => {
        const response = await route.fetch();
        await answered.promise;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await page.evaluate(`leadback.consent('granted')`);
    await eventually(async () => expect(await site.leads()).toHaveLength(1));
    await page.evaluate(`leadback.consent('denied')`);
    answered.resolve();
    await eventually(async () => expect(await site.leads()).toMatchObject([{ consentWithdrawnAt: expect.any(Date) }]));
    expect([await keptIn(page), await fieldsOn(page)]).toEqual([nothingKept, ['']]);
  });
});

it('keeps the reference for a day alone where the browser sends Global Privacy Control, which the lead names', async () => {
  await using visit = await givenVisit({ gpc: true });
  const { page, context } = visit;
  await expect.poll(() => fieldsOn(page)).toEqual([reference]);
  const [cookie] = await context.cookies();
  const [, seconds = ''] = cookie?.value.split('.') ?? [];
  expect(Math.abs((cookie?.expires ?? 0) - Number(seconds) - 86_400)).toBeLessThan(5);
  expect(await page.evaluate('localStorage.length')).toBe(0);
  expect(await visit.site.leads()).toMatchObject([{ globalPrivacyControl: true }]);
});
