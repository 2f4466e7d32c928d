import { leadRegistrar, leadSchema } from '@leadback/core/leads/register';
import { type LandingPage, Lead } from '@leadback/db';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { findLead, givenContacts, openPatiently, secretsKeys, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenLanding } from './given-landing.ts';

const origin = 'https://shop.example';
// what Chrome sends with a beacon that Google's click tracker redirects to a tracking template
const beacon = { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' };

describe('a click that Google tells in the background', async () => {
  const landing = await shared(givenLanding());
  const api = await shared(openPatiently({ url: landing.database.urlOf('api'), applicationName: 'test' }));
  const registerLead = leadRegistrar(api.pool, {
    referenceKeys: leadReferenceKeys(secretsKeys),
    contacts: givenContacts(),
  });
  const givenPage = (mode: 'direct' | 'script' = 'script') =>
    landing.givenPage({ mode, ...(mode === 'script' && { origins: [origin] }), targetUrl: `${origin}/` });

  const tell = async ({ slug }: LandingPage, query: string, headers: Record<string, string> = {}, method = 'GET') =>
    (await landing.visit(`/${slug}?${query}`, { method, headers: { ...beacon, ...headers } })).status;

  const address = '198.51.100.7';
  const reportBySite = async (
    { slug }: LandingPage,
    query: string,
    headers: Record<string, string> = { 'x-forwarded-for': address },
  ) => {
    const { html, status } = await landing.visit(`/${slug}/lead`, {
      method: 'POST',
      headers: { origin, 'content-type': 'text/plain', ...headers },
      body: JSON.stringify({ url: `${origin}/?${query}` }),
    });
    expect(status).toBe(201);
    return String(Object(JSON.parse(html)).reference);
  };
  const reportByServer = async ({ account }: LandingPage, query: string, isTest = false) => {
    const { lead } = await registerLead({
      mode: { accountId: account.id, isTest },
      input: leadSchema.parse({ url: `${origin}/?${query}`, ip: address }),
      traceParent: undefined,
      actor: 'key 1',
      idempotencyKey: undefined,
    });
    return lead?.reference ?? '';
  };
  const reporters = { site: reportBySite, server: reportByServer };

  const leadsOf = ({ account }: LandingPage) =>
    landing.database.em().find(Lead, { account: account.id }, { orderBy: { id: 'asc' } });
  /** As the metrics count them. */
  const countedOf = async ({ account }: LandingPage): Promise<number> => {
    const { rows } = await landing.database.pool.query(
      `select coalesce(sum(change), 0)::int as leads from metric_increment where account_id = $1 and measure = 'leads'`,
      [account.id],
    );
    return Number(Object(rows[0]).leads);
  };
  const countsOf = async (page: LandingPage) => ({
    leads: (await leadsOf(page)).length,
    counted: await countedOf(page),
  });

  it.each(['direct', 'script'] as const)('is a lead at a page of the mode %s, and gets no redirect', async (mode) => {
    const page = await givenPage(mode);
    expect(await tell(page, 'gclid=told-1&utm_campaign=spring', { 'sec-gpc': '1' })).toBe(204);
    expect(await tell(page, 'gbraid=told-2', {}, 'POST')).toBe(204);
    const [lead, other] = await leadsOf(page);
    expect(lead).toMatchObject({
      reportedBy: 'background',
      clickParameters: { gclid: 'told-1', utm_campaign: 'spring' },
      globalPrivacyControl: true,
    });
    expect(other).toMatchObject({ reportedBy: 'background', clickParameters: { gbraid: 'told-2' } });
    expect(await countsOf(page)).toEqual({ leads: 2, counted: 2 });
  });

  it.each([
    ['has no click id of Google', 'fbclid=other', {}],
    ['is a page itself', 'gclid=G-1', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }],
    ['is an image', 'gclid=G-1', { 'sec-fetch-dest': 'image' }],
    ['is a prefetch', 'gclid=G-1', { 'sec-purpose': 'prefetch' }],
    ['is of a crawler', 'gclid=G-1', { 'user-agent': 'AdsBot-Google (+http://www.google.com/adsbot.html)' }],
  ])('is none if the request %s', async (_, query, headers) => {
    const page = await givenPage();
    expect(await tell(page, query, headers)).not.toBe(204);
    expect(await leadsOf(page)).toEqual([]);
  });

  it.each(['site', 'server'] as const)(
    'is one lead with the reference that the %s reports after it, and keeps what the report lacks',
    async (who) => {
      const page = await givenPage();
      const gclid = unique('click');
      await tell(page, `gclid=${gclid}&utm_campaign=template&utm_term=shoes`, { 'sec-gpc': '1' });
      const reference = await reporters[who](page, `gclid=${gclid}&utm_campaign=final`);
      expect(await countsOf(page)).toEqual({ leads: 1, counted: 1 });
      expect(await findLead(landing.database.em(), reference)).toMatchObject({
        reportedBy: who === 'site' ? 'script' : 'server',
        clickParameters: { gclid, utm_campaign: 'final', utm_term: 'shoes' },
        globalPrivacyControl: true,
        ipAddress: address,
      });
    },
  );

  it.each(['site', 'server'] as const)('is no further lead if the %s has reported it before', async (who) => {
    const page = await givenPage();
    const gclid = unique('click');
    const reference = await reporters[who](page, `gclid=${gclid}`);
    expect(await tell(page, `gclid=${gclid}&utm_campaign=template`)).toBe(204);
    expect(await countsOf(page)).toEqual({ leads: 1, counted: 1 });
    expect((await leadsOf(page))[0]?.reference).toBe(reference);
  });

  it.each(['site', 'server'] as const)(
    'is one lead if it is told and reported by the %s at the same time, often, and for many clicks at once',
    async (who) => {
      const page = await givenPage();
      const clicks = Array.from({ length: 40 }, () => unique('click'));
      const all = await Promise.all(
        clicks.flatMap((gclid, index) => {
          const from = { 'x-forwarded-for': `203.0.113.${index}` };
          const told = () => tell(page, `gclid=${gclid}&utm_campaign=template`, from);
          const reported = () =>
            who === 'site' ? reportBySite(page, `gclid=${gclid}`, from) : reportByServer(page, `gclid=${gclid}`);
          return index % 2 === 0 ? [told(), reported(), told()] : [reported(), told(), told()];
        }),
      );
      expect(await countsOf(page)).toEqual({ leads: 40, counted: 40 });
      const references = new Set(all.filter((one) => typeof one === 'string'));
      expect(new Set((await leadsOf(page)).map(({ reference }) => reference))).toEqual(references);
    },
  );

  it('is another lead in another account, and than that of a test', async () => {
    const [page, foreign] = [await givenPage(), await givenPage()];
    const gclid = unique('click');
    await tell(page, `gclid=${gclid}`);
    await reportBySite(foreign, `gclid=${gclid}`);
    await reportByServer(page, `gclid=${gclid}`, true);
    expect((await leadsOf(page)).map(({ reportedBy, isTest }) => [reportedBy, isTest])).toEqual([
      ['background', false],
      ['server', true],
    ]);
    expect(await countsOf(foreign)).toEqual({ leads: 1, counted: 1 });
  });

  it('takes no lead from visitors who share a link with a click id, nor from redirects', async () => {
    const [page, direct] = [await givenPage(), await givenPage('direct')];
    const gclid = unique('click');
    await tell(page, `gclid=${gclid}`);
    await reportBySite(page, `gclid=${gclid}`, { 'x-forwarded-for': '203.0.113.1' });
    await reportBySite(page, `gclid=${gclid}`, { 'x-forwarded-for': '203.0.113.2' });
    await landing.visit(`/${direct.slug}?gclid=${gclid}`);
    expect(await countsOf(page)).toEqual({ leads: 2, counted: 2 });
    expect((await leadsOf(direct)).map(({ reportedBy }) => reportedBy)).toEqual([null]);
  });

  it('is limited like all leads of a network', async () => {
    await using limited = await givenLanding({ leadBurst: 2, leadRate: 0.0001 });
    const page = await limited.givenPage({ mode: 'script', origins: [origin], targetUrl: `${origin}/` });
    for (let id = 0; id < 20; id += 1) await limited.visit(`/${page.slug}?gclid=flood-${id}`, { headers: beacon });
    expect(await limited.leadsOf(page)).toBeLessThan(5);
  });

  it('is one lead with the report although both were buffered', async () => {
    await using other = await givenLanding();
    const page = await other.givenPage({ mode: 'script', origins: [origin], targetUrl: `${origin}/` });
    await other.heardOfNews();
    other.loseDatabase();
    await other.visit(`/${page.slug}?gclid=buffered-1&utm_campaign=template`, { headers: beacon });
    const { html } = await other.visit(`/${page.slug}/lead`, {
      method: 'POST',
      headers: { origin, 'content-type': 'text/plain' },
      body: JSON.stringify({ url: `${origin}/?gclid=buffered-1` }),
    });
    await other.findDatabaseAgain();
    await expect.poll(() => other.leadsOf(page), { timeout: 20_000 }).toBe(1);
    const reference = String(Object(JSON.parse(html)).reference);
    await expect.poll(async () => (await other.database.em().find(Lead, {}))[0]?.reference).toBe(reference);
  });
});
