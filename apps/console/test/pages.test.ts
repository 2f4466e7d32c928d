import { type Account, AuditEntry, LandingPage, type Lead } from '@leadback/db';
import { givenAccount, givenLandingPage, givenLead, unique, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  changePageReply,
  checkPageReply,
  createPageReply,
  type PageDraft,
  page as pageSchema,
  pagesReply,
  unusableClicksReply,
} from '../src/contract/pages.ts';
import { overviewReply } from '../src/contract/results.ts';
import { givenConsole } from './given-console.ts';

describe('landing pages in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const pathOf = (rest = '') => `/api/accounts/${account.id}/pages${rest}`;
  const givenPage = (options: Parameters<typeof givenLandingPage>[1] = {}) =>
    givenLandingPage(console.database.em(), { account, ...options });
  const read = async (id: number) => pageSchema.parse((await person.get(pathOf(`/${id}`))).body);
  const change = async (id: number, given: { draft: PageDraft; version: string }, by = person) =>
    changePageReply.parse((await by.post(pathOf(`/${id}`), given)).body);
  const stored = (id: number) => console.database.em().findOneOrFail(LandingPage, { id });
  const audited = async () => {
    const entries = await console.database.em().find(AuditEntry, { accountId: account.id }, { orderBy: { id: 'asc' } });
    return entries.map(({ actor, action, target, details }) => ({ actor, action, target, details }));
  };

  it('lists the pages of the account with their leads of 30 days, those changed last first', async () => {
    const [first, second] = [await givenPage({ title: 'Oferta' }), await givenPage({ mode: 'direct' })];
    await givenLandingPage(console.database.em());
    const add = (table: string, value: string, day: string) =>
      console.database.pool.query(
        `insert into ${table} (account_id, ${table === 'metric_increment' ? 'at' : 'day'}, landing_page_id, campaign, measure, ${value})
         values ($1, day_of(now(), 'UTC') - ${day}, $2, 'x', 'leads', 3), ($1, day_of(now(), 'UTC') - ${day}, $2, 'x', 'clients', 1)`,
        [account.id, first.id],
      );
    await add('account_metric', 'value', '29');
    await add('account_metric', 'value', '30');
    await add('metric_increment', 'change', '0');
    await person.post(pathOf(`/${first.id}/switch`), { isOn: false });
    const { items, hasMore, baseUrl } = pagesReply.parse((await person.get(pathOf())).body);
    expect({ hasMore, baseUrl }).toEqual({ hasMore: false, baseUrl: 'https://go.example/' });
    expect(items).toMatchObject([
      { id: first.id, title: 'Oferta', isOn: false, leads: 6, url: `https://go.example/${first.slug}` },
      { id: second.id, title: null, isOn: true, leads: 0, mode: 'direct' },
    ]);
  });

  it('deletes a page for good, which no screen lists or opens any more, while its leads stay under its name', async () => {
    const { landingPage } = await givenLead(console.database.em(), { account });
    const page = landingPage.getEntity();
    expect((await person.post(pathOf(`/${page.id}/delete`), {})).body).toEqual({ id: page.id, slug: page.slug });
    expect(pagesReply.parse((await person.get(pathOf())).body).items).toEqual([]);
    expect((await person.get(pathOf(`/${page.id}`))).status).toBe(404);
    expect((await person.post(pathOf(`/${page.id}/switch`), { isOn: true })).status).toBe(404);
    expect((await person.post(pathOf(`/${page.id}/delete`), {})).status).toBe(404);
    const today = new Date().toISOString().slice(0, 10);
    const overview = await person.get(`/api/accounts/${account.id}/overview?from=${today}&to=${today}&by=page`);
    expect(overviewReply.parse(overview.body).rows).toMatchObject([{ key: page.slug, measures: { leads: 1 } }]);
    expect(await audited()).toEqual([
      { actor: person.email, action: 'page.delete', target: `page ${page.id}`, details: { slug: page.slug } },
    ]);
  });

  it('counts what was sent as click ids of a page and is none, by parameter and reason, of the last 30 days', async () => {
    const em = console.database.em();
    const [page, other] = [await givenPage(), await givenPage()];
    const template = { sent: '{gclid}', reason: 'template' } as const;
    const given = (landingPage: LandingPage, unusableClicks: Lead['unusableClicks'], days = 0) =>
      console.database.pool.query(
        `insert into lead (account_id, landing_page_id, reference, click_parameters, unusable_clicks, created_at)
         values ($1, $2, gen_random_uuid(), '{}', $3, now() - $4 * interval '1 day')`,
        [account.id, landingPage.id, unusableClicks ?? null, days],
      );
    await given(page, { gclid: template });
    await given(page, { gclid: template, fbclid: { sent: 'null', reason: 'placeholder' } });
    await given(page, null);
    await given(page, { msclkid: { sent: 'm1', reason: 'malformed' } }, 31);
    await given(other, { gclid: template });
    const counted = await person.get(pathOf(`/${page.id}/unusable-clicks`));
    expect(unusableClicksReply.parse(counted.body).items).toEqual([
      { parameter: 'gclid', reason: 'template', clicks: 2 },
      { parameter: 'fbclid', reason: 'placeholder', clicks: 1 },
    ]);
    const foreign = await givenLandingPage(em);
    expect((await person.get(pathOf(`/${foreign.id}/unusable-clicks`))).status).toBe(404);
  });

  it('creates a page as a draft that nobody finds, once for each slug, and says what to correct', async () => {
    const slug = unique('page');
    const create = async (given: object) =>
      createPageReply.parse((await person.post(pathOf(), { slug, language: 'pt', ...given })).body);
    expect(await create({ targetUrl: 'http://x.example/', slug: 'No blanks' })).toEqual({
      outcome: 'invalid',
      problems: ['slug', 'targetUrl'],
    });
    expect(await create({ targetUrl: 'https://192.168.0.1/' })).toEqual({
      outcome: 'invalid',
      problems: ['targetUrl'],
    });
    const targetUrl = ' https://x.example/offer ';
    const created = await create({ targetUrl });
    expect(created).toMatchObject({ outcome: 'created', page: { slug, isOn: false, draft: { language: 'pt' } } });
    expect(await create({ targetUrl })).toEqual({ outcome: 'slug-taken' });
    const page = await console.database.em().findOneOrFail(LandingPage, { slug });
    expect(page).toMatchObject({ targetUrl: 'https://x.example/offer', account: { id: account.id } });
    expect(await audited()).toEqual([
      { actor: person.email, action: 'page.create', target: `page ${page.id}`, details: { slug, isOn: false } },
    ]);
  });

  it('saves the content of a page, and writes down what changed field by field', async () => {
    const { id } = await givenPage({ title: 'Before', buttonLabel: 'Go' });
    const { draft, version } = await read(id);
    const changed: PageDraft = { ...draft, title: ' After ', buttonLabel: ' ', askedFields: ['email'] };
    const reply = await change(id, { draft: changed, version });
    expect(reply).toMatchObject({ outcome: 'saved', page: { draft: { title: 'After', buttonLabel: '' } } });
    expect(await stored(id)).toMatchObject({ title: 'After', buttonLabel: null, askedFields: ['email'] });
    expect(await audited()).toEqual([
      {
        actor: person.email,
        action: 'page.change',
        target: `page ${id}`,
        details: {
          title: { before: 'Before', after: 'After' },
          buttonLabel: { before: 'Go', after: null },
          askedFields: { before: [], after: ['email'] },
        },
      },
    ]);
  });

  it.each<[keyof PageDraft, Partial<PageDraft>]>([
    ['targetUrl', { targetUrl: '' }],
    ['targetUrl', { targetUrl: 'https://x.example/?serviceId=1' }],
    ['targetUrl', { targetUrl: 'javascript:alert(1)' }],
    ['targetUrl', { targetUrl: 'https://10.0.0.1/' }],
    ['targetUrl', { targetUrl: 'http://localhost:5432/' }],
    ['title', { title: 'x'.repeat(201) }],
    ['title', { title: 'two\nlines' }],
    ['text', { text: 'x'.repeat(3_001) }],
    ['accentColor', { accentColor: 'red' }],
    ['consentText', { mode: 'direct', consentText: 'I agree' }],
    ['privacyUrl', { privacyUrl: 'http://x.example/' }],
    ['logo', { logo: { src: 'javascript:alert(1)', alt: '' } }],
    ['logo', { logo: { src: '/media/../api/session', alt: '' } }],
    ['hero', { hero: { src: '//evil.example/x.png', alt: '' } }],
    ['hero', { hero: { src: 'https://x.example/x.png', alt: 'x'.repeat(201) } }],
  ])('says that %s is wrong in %j, and saves nothing', async (field, wrong) => {
    const { id } = await givenPage({ title: 'Before' });
    const { draft, version } = await read(id);
    const typed = { ...draft, ...wrong };
    expect(checkPageReply.parse((await person.post(pathOf('/check'), { draft: typed })).body)).toEqual({
      problems: [field],
    });
    expect(await change(id, { draft: typed, version })).toEqual({ outcome: 'invalid', problems: [field] });
    expect((await read(id)).version).toBe(version);
    expect(await audited()).toEqual([]);
  });
});
