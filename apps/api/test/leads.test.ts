import { randomInt } from 'node:crypto';
import { deletePage, renamePage } from '@leadback/core/pages/pages';
import { LandingPage } from '@leadback/db';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import {
  givenAccount,
  givenApiKey,
  givenLandingPage,
  hostileStrings,
  secretsKeys,
  shared,
  unique,
} from '@leadback/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi, givenPartner, type Reply } from './given-api.ts';

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36';

const registeredSchema = z.strictObject({
  id: z.number(),
  leadReference: z.string().regex(/^[0-9A-Za-z]{22}$/),
  setCookie: z.string(),
  warnings: z.array(z.string()).optional(),
});
const registered = ({ body }: Pick<Reply, 'body'>) => registeredSchema.parse(body);

const rowSchema = z.object({
  click_parameters: z.record(z.string(), z.string()),
  unusable_clicks: z.unknown(),
  user_agent: z.string().nullable(),
  referrer: z.string().nullable(),
  landing_url: z.string().nullable(),
  consent: z.boolean().nullable(),
  consent_scope: z.string().nullable(),
  global_privacy_control: z.boolean(),
  ad_user_data: z.boolean().nullable(),
  is_test: z.boolean(),
  slug: z.string(),
  created_at: z.coerce.date(),
});

const gclid = () => `Cj0KCQiA${unique('click').replaceAll(/[^A-Za-z0-9]/g, '')}`;

const cookieOf = ({ setCookie }: { readonly setCookie: string }) => ({
  leadback: /^leadback=([^;]+)/.exec(setCookie)?.[1] ?? '',
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe('POST /lead', async () => {
  const api = await shared(givenApi());

  const clicked = (change: object = {}) => ({
    url: `https://www.shop.example/?gclid=${gclid()}`,
    userAgent: chrome,
    ...change,
  });

  const rowOf = async (id: number) => {
    const sql = `select l.*, p.slug from lead l join landing_page p on p.id = l.landing_page_id and p.account_id = l.account_id
                 where l.id = $1`;
    return rowSchema.parse((await api.database.pool.query(sql, [id])).rows[0]);
  };
  const counted = async (accountId: number): Promise<unknown> => {
    const { rows } = await api.database.pool.query(
      `select replace(campaign, chr(31), '|') as campaign from metric_increment
       where account_id = $1 and measure = 'leads' order by id desc limit 1`,
      [accountId],
    );
    return z.object({ campaign: z.string() }).parse(rows[0]).campaign;
  };
  const leadsOf = async (accountId: number): Promise<number> => {
    const { rows } = await api.database.pool.query('select count(*)::int as n from lead where account_id = $1', [
      accountId,
    ]);
    return z.object({ n: z.number() }).parse(rows[0]).n;
  };

  it('records the click of the URL, and a client with its reference is the person behind it', async () => {
    const { post } = await givenPartner(api);
    const id = gclid();
    const reply = await post('/lead', {
      url: `https://www.shop.example/mates?color=red&gclid=${id}&utm_campaign=spring&token=secret#top`,
      referrer: 'https://www.google.com/search?q=ana+garcia',
      ip: '203.0.113.7',
      userAgent: chrome,
      cookies: { _fbp: 'fb.1.1700000000000.1234567890', _ttp: '01ABC', session: 'secret', nested: { a: 1 } },
    });
    expect(reply.status).toBe(201);
    const { id: leadId, leadReference } = registered(reply);
    const row = await rowOf(leadId);
    expect(row).toMatchObject({
      click_parameters: { gclid: id, utm_campaign: 'spring', _fbp: 'fb.1.1700000000000.1234567890', _ttp: '01ABC' },
      landing_url: `https://www.shop.example/mates?gclid=${id}&utm_campaign=spring`,
      referrer: 'https://www.google.com/search',
      user_agent: chrome,
      is_test: false,
    });
    expect(JSON.stringify(row)).not.toMatch(/secret|ana|203\.0\.113/);
    const client = await post('/client', { leadReference, externalReference: unique('customer') });
    expect(client.status).toBe(201);
    const sale = { amount: 10, currency: 'USD', leadReference, email: `${unique('buyer')}@x.example` };
    expect((await post('/client/conversion', sale)).body).toMatchObject({ leadId });
  });

  it.each([
    'https://shop.example/',
    'https://shop.example/?q=mates&page=2',
    'https://shop.example/?gclid=',
    'https://shop.example/?utm_source=',
    'https://shop.example/#gclid=Cj0KCQiA7NO7BhDs',
  ])('records nothing if the URL has no click id and no utm: %s', async (url) => {
    const { account, post } = await givenPartner(api);
    const before = await leadsOf(account.id);
    expect(await post('/lead', { url })).toMatchObject({ status: 200, body: { leadReference: null } });
    expect(await leadsOf(account.id)).toBe(before);
  });

  it('records nothing for a crawler or a link preview, and says why', async () => {
    const { post } = await givenPartner(api);
    const reply = await post('/lead', clicked({ userAgent: 'WhatsApp/2.23.20.0' }));
    expect(reply).toMatchObject({ status: 200, body: { leadReference: null } });
    expect(reply.headers.get('leadback-warning')).toBe('not-usable;field=userAgent');
  });

  it('keeps a template that nobody filled, so that the advertiser is told', async () => {
    const { post } = await givenPartner(api);
    const { id } = registered(await post('/lead', { url: 'https://shop.example/?gclid={gclid}' }));
    expect(await rowOf(id)).toMatchObject({
      click_parameters: {},
      unusable_clicks: { gclid: { sent: '{gclid}', reason: 'template' } },
    });
  });

  it('is the same lead if the same visitor sends the same click again, also at the same time', async () => {
    const { account, post } = await givenPartner(api);
    const before = await leadsOf(account.id);
    const body = clicked({ ip: '203.0.113.7' });
    const replies = await Promise.all(Array.from({ length: 8 }, () => post('/lead', body)));
    const again = await post('/lead', { ...body, referrer: 'https://shop.example/', url: `${body.url}&page=2` });
    expect(again.status).toBe(200);
    const [first, ...others] = [...replies, again].map((reply) => registered(reply));
    for (const other of others) expect(other).toMatchObject({ id: first?.id, leadReference: first?.leadReference });
    expect(await leadsOf(account.id)).toBe(before + 1);
  });

  it('is the same lead if the browser that keeps its cookie comes again from another network', async () => {
    const { post } = await givenPartner(api);
    const body = clicked({ ip: '203.0.113.7' });
    const first = registered(await post('/lead', body));
    const again = await post('/lead', { ...body, ip: '203.0.113.8', cookies: cookieOf(first) });
    expect([again.status, registered(again)]).toEqual([200, first]);
    const next = await post('/lead', clicked({ ip: '203.0.113.8', cookies: cookieOf(first) }));
    expect(next.status).toBe(201);
  });

  describe('if the browser keeps the reference of an earlier lead', () => {
    const letter = 'https://shop.example/?utm_source=letter&utm_campaign=spring';
    const clickRowSchema = rowSchema.extend({ click_times: z.record(z.string(), z.string()).nullable() });
    const clicksOf = async (id: number) => {
      const { rows } = await api.database.pool.query(
        'select l.*, p.slug from lead l join landing_page p on p.id = l.landing_page_id where l.id = $1',
        [id],
      );
      return clickRowSchema.parse(rows[0]);
    };

    it('takes over its click, with its time, and platforms are told of it by a sale with the new one', async () => {
      const { account, post, conversion } = await givenPartner(api);
      const id = gclid();
      const first = registered(await post('/lead', { url: `https://shop.example/?gclid=${id}&fbclid=old` }));
      const second = registered(await post('/lead', { url: letter, cookies: cookieOf(first) }));
      const [own, next] = [await clicksOf(first.id), await clicksOf(second.id)];
      expect(next.click_parameters).toEqual({ gclid: id, fbclid: 'old', utm_source: 'letter', utm_campaign: 'spring' });
      const clickedAt = own.created_at.toISOString();
      expect(next.click_times).toEqual({ gclid: clickedAt, fbclid: clickedAt });
      expect(await counted(account.id)).toBe('spring||letter');
      // and the one after it, which has a click of one of the platforms itself
      const third = registered(
        await post('/lead', { url: 'https://shop.example/?fbclid=new', cookies: cookieOf(second) }),
      );
      expect(await clicksOf(third.id)).toMatchObject({
        click_parameters: { gclid: id, fbclid: 'new' },
        click_times: { gclid: clickedAt },
      });
      expect(await counted(account.id)).toBe('|meta');
      const sale = {
        amount: 10,
        currency: 'USD',
        leadReference: third.leadReference,
        email: `${unique('buyer')}@x.example`,
      };
      const { id: saleId } = z.object({ id: z.number() }).parse((await post('/client/conversion', sale)).body);
      expect(await conversion(saleId)).toMatchObject({ clicks: [{ leadId: third.id, counted: true }] });
    });

    it('takes over no click that is older than 90 days at the visit', async () => {
      const { post } = await givenPartner(api);
      for (const [days, isKept] of [
        [89, true],
        [91, false],
      ] as const) {
        const first = registered(await post('/lead', clicked({ occurredAt: daysAgo(days) })));
        const { id } = registered(await post('/lead', { url: letter, cookies: cookieOf(first) }));
        expect('gclid' in (await clicksOf(id)).click_parameters).toBe(isKept);
      }
    });

    it.each([
      ['the earlier visitor denied consent', { consent: { adUserData: 'denied' } }, {}],
      ['the earlier visitor denied personalisation', { consent: { adPersonalization: 'denied' } }, {}],
      ['the earlier browser sent Global Privacy Control', { globalPrivacyControl: true }, {}],
      ['the visitor denies consent now', {}, { consent: { adUserData: 'denied' } }],
      ['the browser sends Global Privacy Control now', {}, { globalPrivacyControl: true }],
    ])('takes over nothing if %s', async (_why, before, now) => {
      const { post } = await givenPartner(api);
      const first = registered(await post('/lead', clicked(before)));
      const { id } = registered(await post('/lead', { url: letter, cookies: cookieOf(first), ...now }));
      expect((await clicksOf(id)).click_parameters).toEqual({ utm_source: 'letter', utm_campaign: 'spring' });
    });

    it('takes over nothing if the visitor has withdrawn consent, or the lead is of another account or mode', async () => {
      const [one, other] = [await givenPartner(api), await givenPartner(api)];
      const test = await givenPartner(api, { account: one.account, isTest: true });
      const first = registered(await one.post('/lead', clicked()));
      const taken = async ({ post }: typeof one) =>
        (await clicksOf(registered(await post('/lead', { url: letter, cookies: cookieOf(first) })).id))
          .click_parameters;
      for (const partner of [other, test]) expect(await taken(partner)).not.toHaveProperty('gclid');
      expect(await taken(one)).toHaveProperty('gclid');
      await api.database.pool.query('update lead set consent_withdrawn_at = now() where id = $1', [first.id]);
      expect(await taken(one)).not.toHaveProperty('gclid');
    });
  });

  describe('the same click with what the visitor says of consent', () => {
    const granted = { adUserData: 'granted', adPersonalization: 'granted' };
    const denied = { adUserData: 'denied' };
    const refused = { consent: false, consent_scope: 'sharing', ad_user_data: null };

    it('is one lead, of which the newest word counts, and silence changes nothing, with its cookie or without', async () => {
      const { account, post } = await givenPartner(api);
      const before = await leadsOf(account.id);
      const body = clicked({ ip: '203.0.113.7' });
      const first = registered(await post('/lead', body));
      for (const [cookies, consent, kept] of [
        [{}, denied, refused],
        [cookieOf(first), undefined, refused],
        [{}, undefined, refused],
        [cookieOf(first), { adPersonalization: 'granted' }, refused],
        [cookieOf(first), granted, { consent: true, consent_scope: 'sharing', ad_user_data: null }],
        [{}, { adPersonalization: 'denied' }, { consent: false, consent_scope: 'personalisation', ad_user_data: true }],
        [cookieOf(first), { adUserData: 'denied' }, refused],
      ] as const) {
        const { id } = registered(await post('/lead', { ...body, cookies, consent }));
        expect(id).toBe(first.id);
        expect(await rowOf(id)).toMatchObject(kept);
      }
      expect(await leadsOf(account.id)).toBe(before + 1);
    });

    it('counts for the clients that have the lead already, too', async () => {
      const { account, post } = await givenPartner(api);
      const body = clicked({ ip: '203.0.113.7', consent: granted });
      const { leadReference } = registered(await post('/lead', body));
      const externalReference = unique('customer');
      await post('/client', { leadReference, externalReference, consent: granted });
      await post('/lead', { ...body, consent: denied });
      const { rows } = await api.database.pool.query(
        'select ad_user_data from client where account_id = $1 and external_reference = $2',
        [account.id, externalReference],
      );
      expect(rows).toEqual([{ ad_user_data: false }]);
    });

    it('keeps Global Privacy Control once a browser has sent it', async () => {
      const { post } = await givenPartner(api);
      const body = clicked({ ip: '203.0.113.7' });
      const { id } = registered(await post('/lead', body));
      for (const globalPrivacyControl of [true, false]) {
        expect(registered(await post('/lead', { ...body, globalPrivacyControl })).id).toBe(id);
        expect(await rowOf(id)).toMatchObject({ global_privacy_control: true });
      }
    });

    it('leaves what the visitor has withdrawn: a consent that is given later is of another lead, once', async () => {
      const { post } = await givenPartner(api);
      const body = clicked({ ip: '203.0.113.7' });
      const first = registered(await post('/lead', body));
      await api.database.pool.query('update lead set consent_withdrawn_at = now() where id = $1', [first.id]);
      expect(registered(await post('/lead', body)).id).toBe(first.id);
      const next = registered(await post('/lead', { ...body, consent: granted, cookies: cookieOf(first) }));
      expect(next.id).not.toBe(first.id);
      expect(registered(await post('/lead', { ...body, consent: granted, cookies: cookieOf(next) })).id).toBe(next.id);
      expect(registered(await post('/lead', { ...body, cookies: cookieOf(next) })).id).toBe(next.id);
    });
  });

  it('without click ids, is the same lead for half an hour if the browser keeps its cookie', async () => {
    const { post } = await givenPartner(api);
    const body = { url: 'https://shop.example/?utm_source=letter&utm_campaign=spring' };
    const first = registered(await post('/lead', body));
    const cookies = cookieOf(first);
    expect(registered(await post('/lead', { ...body, cookies })).id).toBe(first.id);
    const other = await post('/lead', { url: 'https://shop.example/?utm_source=letter&utm_campaign=summer', cookies });
    expect(other.status).toBe(201);
    await api.database.pool.query(`update lead set created_at = now() - interval '31 minutes' where id = $1`, [
      first.id,
    ]);
    expect((await post('/lead', { ...body, cookies })).status).toBe(201);
  });

  it('takes no lead of another account or mode for that of a cookie', async () => {
    const [one, other] = [await givenPartner(api), await givenPartner(api)];
    const test = await givenPartner(api, { account: one.account, isTest: true });
    const body = clicked({ ip: '203.0.113.7' });
    const first = registered(await one.post('/lead', body));
    for (const { post } of [other, test]) {
      const reply = await post('/lead', { ...body, cookies: cookieOf(first) });
      expect(reply.status).toBe(201);
      expect(registered(reply).leadReference).not.toBe(first.leadReference);
    }
  });

  it.each([
    ['another visitor', { ip: '203.0.113.8' }],
    ['another browser', { userAgent: `${chrome} Other` }],
  ])('is another lead if the same click comes with %s', async (_what, change) => {
    const { post } = await givenPartner(api);
    const body = clicked({ ip: '203.0.113.7' });
    const first = registered(await post('/lead', body));
    const reply = await post('/lead', { ...body, ...change });
    expect(reply.status).toBe(201);
    expect(registered(reply).leadReference).not.toBe(first.leadReference);
  });

  it('is another lead for each visitor of a campaign without click ids, and one with an idempotency key', async () => {
    const { post } = await givenPartner(api);
    const body = { url: 'https://shop.example/?utm_campaign=spring' };
    const headers = { 'idempotency-key': unique('key') };
    const [one, other] = [registered(await post('/lead', body)), registered(await post('/lead', body))];
    expect(one.leadReference).not.toBe(other.leadReference);
    const keyed = await post('/lead', body, { headers });
    expect(await post('/lead', body, { headers })).toMatchObject({ status: 201, body: keyed.body });
    const reused = await post('/lead', { url: 'https://shop.example/?utm_campaign=summer' }, { headers });
    expect(reused.headers.get('leadback-error')).toBe('idempotency-key-reused');
  });

  it('returns a cookie that a browser keeps for the whole site as long as the click counts', async () => {
    const { post } = await givenPartner(api);
    const { leadReference, setCookie } = registered(await post('/lead', clicked()));
    const [pair, ...attributes] = setCookie.split('; ');
    expect(pair).toMatch(new RegExp(`^leadback=${leadReference}\\.\\d{10}$`));
    expect(attributes.toSorted()).toEqual([
      'Domain=shop.example',
      'Max-Age=7776000',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
    // what the browser sends back is a lead reference as it is
    const value = pair?.replace('leadback=', '');
    expect((await post('/client', { leadReference: value })).status).toBe(201);
    const occurredAt = new Date(Date.now() - 10 * 86_400_000).toISOString();
    const older = registered(await post('/lead', clicked({ occurredAt })));
    expect(Number(/Max-Age=(\d+)/.exec(older.setCookie)?.[1])).toBeCloseTo(80 * 86_400, -2);
  });

  it.each([
    ['http://localhost:8080/?gclid=', []],
    ['http://203.0.113.9/?gclid=', []],
    ['https://mates.myshopify.com/?gclid=', ['Domain=mates.myshopify.com', 'Secure']],
    ['https://www.mates.com.ar/?gclid=', ['Domain=mates.com.ar', 'Secure']],
    ['https://com.ar/?gclid=', ['Secure']],
  ])('returns a cookie of no wider domain than a browser accepts: %s', async (url, expected) => {
    const { post } = await givenPartner(api);
    const { setCookie } = registered(await post('/lead', { url: url + gclid() }));
    expect(
      setCookie
        .split('; ')
        .filter((one) => /^(Domain=|Secure)/.test(one))
        .toSorted(),
    ).toEqual(expected);
  });

  it('counts on the page that is named, and else on one page of the account for all of its server', async () => {
    const { account, client, post, key } = await givenPartner(api);
    const { landingPage } = await client.lead.loadOrFail();
    const { slug } = await landingPage.loadOrFail();
    expect(await rowOf(registered(await post('/lead', clicked({ page: slug }))).id)).toMatchObject({ slug });
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => api.send('POST', '/api/v1/lead', { key, body: clicked() })),
    );
    for (const reply of replies)
      expect(await rowOf(registered(reply).id)).toMatchObject({ slug: `server-${account.id}` });
    const { rows } = await api.database.pool.query(
      'select is_on, target_url, slug from landing_page where account_id = $1 and is_of_server',
      [account.id],
    );
    expect(rows).toEqual([{ is_on: false, target_url: 'https://www.shop.example/', slug: `server-${account.id}` }]);
    const { rows: entries } = await api.database.pool.query(
      `select actor like 'key %' as by_key from audit_entry where account_id = $1 and action = 'page.create'`,
      [account.id],
    );
    expect(entries).toEqual([{ by_key: true }]);
  });

  it('finds a name for its page also if another account has the usual one', async () => {
    const [{ account, post }, squatter] = [await givenPartner(api), await givenAccount(api.database.em())];
    await api.database.pool.query(
      `insert into landing_page (account_id, slug, target_url) values ($1, $2, 'https://other.example/')`,
      [squatter.id, `server-${account.id}`],
    );
    const { slug } = await rowOf(registered(await post('/lead', clicked())).id);
    expect(slug).toMatch(new RegExp(`^server-${account.id}-[0-9a-f]{10}$`));
  });

  it('refuses a page of another account like one that is missing', async () => {
    const [{ post }, other] = [await givenPartner(api), await givenPartner(api)];
    const { landingPage } = await other.client.lead.loadOrFail();
    const { slug } = await landingPage.loadOrFail();
    const expected = { status: 400, body: { message: 'page: no page of this account has this slug' } };
    expect(await post('/lead', clicked({ page: slug }))).toMatchObject(expected);
    expect(await post('/lead', clicked({ page: 'missing' }))).toMatchObject(expected);
  });

  it('names a page by its slug on the domains of the account, also if another account has that slug elsewhere', async () => {
    const { account, conversion, post, sell } = await givenPartner(api);
    const em = api.database.em();
    const { slug } = await givenLandingPage(em);
    const own = await givenLandingPage(em, { account, slug: unique('page').toLowerCase(), ownSlug: slug });
    const { id, leadReference } = registered(await post('/lead', clicked({ page: slug })));
    expect(await rowOf(id)).toMatchObject({ slug: own.slug });
    expect(await conversion(await sell({ leadReference, clientExternalReference: unique('client') }))).toMatchObject({
      clicks: [{ page: slug }],
    });
  });

  it('counts on a renamed page by its former slug, and no longer once it is deleted, which leaves its name to its leads', async () => {
    const { client, conversion, post, sell } = await givenPartner(api);
    const em = api.database.em();
    const { landingPage } = await client.lead.loadOrFail();
    const { id, slug: former } = await landingPage.loadOrFail();
    const slug = unique('renamed').toLowerCase();
    await renamePage(em, { id, actor: 'test', slug });
    for (const page of [former, slug])
      expect(await rowOf(registered(await post('/lead', clicked({ page }))).id)).toMatchObject({ slug });
    const sale = await sell();
    await deletePage(em, { id, actor: 'test' });
    for (const page of [former, slug]) expect((await post('/lead', clicked({ page }))).status).toBe(400);
    expect(await conversion(sale)).toMatchObject({ clicks: [{ page: slug, counted: true }] });
  });

  it('gets another page for the leads that name none if the first one is deleted', async () => {
    const { account, post } = await givenPartner(api);
    const reported = async () => rowOf(registered(await post('/lead', clicked())).id);
    const { slug } = await reported();
    const [page] = await api.database.em().find(LandingPage, { slug });
    await deletePage(api.database.em(), { id: page?.id ?? 0, actor: 'test' });
    expect((await reported()).slug).toMatch(new RegExp(`^server-${account.id}-[0-9a-f]{10}$`));
  });

  it.each([
    [undefined, { consent: null, consent_scope: null, ad_user_data: null }, [null, null]],
    [{ adUserData: 'denied' }, { consent: false, consent_scope: 'sharing', ad_user_data: null }, [null, null]],
    [
      { adUserData: 'granted', adPersonalization: 'granted' },
      { consent: true, consent_scope: 'sharing', ad_user_data: null },
      [null, null],
    ],
    [
      { adUserData: 'granted', adPersonalization: 'denied' },
      { consent: false, consent_scope: 'personalisation', ad_user_data: true },
      [true, null],
    ],
    [{ adUserData: 'granted' }, { consent: null, consent_scope: null, ad_user_data: true }, [true, null]],
    [
      { adPersonalization: 'denied' },
      { consent: false, consent_scope: 'personalisation', ad_user_data: null },
      [null, null],
    ],
    [{ adPersonalization: 'granted' }, { consent: null, consent_scope: null, ad_user_data: null }, [null, null]],
  ])(
    'keeps what the visitor told the advertiser, for a new client and for a known one: %j',
    async (consent, kept, words) => {
      const { account, post } = await givenPartner(api);
      const { id, leadReference } = registered(await post('/lead', clicked({ consent })));
      expect(await rowOf(id)).toMatchObject(kept);
      const toldOf = async (reference: string) => {
        const { rows } = await api.database.pool.query(
          'select json_build_array(ad_user_data, ad_personalization) as words from client where account_id = $1 and external_reference = $2',
          [account.id, reference],
        );
        return z.object({ words: z.unknown() }).parse(rows[0]).words;
      };
      const externalReference = unique('customer');
      await post('/client', { leadReference, externalReference });
      expect(await toldOf(externalReference)).toEqual(words);
      await post('/client', { leadReference, externalReference: 'C1' });
      expect(await toldOf('C1')).toEqual(words);
    },
  );

  it('keeps Global Privacy Control', async () => {
    const { post } = await givenPartner(api);
    const { id } = registered(await post('/lead', clicked({ globalPrivacyControl: true })));
    expect(await rowOf(id)).toMatchObject({ global_privacy_control: true });
  });

  it.each([
    ['399 days ago', -399 * 86_400_000],
    ['in 4 minutes', 240_000],
  ])('accepts a time of a visit, and counts one that is ahead as now: %s', async (_when, offMs) => {
    const { post } = await givenPartner(api);
    const occurredAt = new Date(Date.now() + offMs);
    const reply = await post('/lead', clicked({ occurredAt: occurredAt.toISOString() }));
    expect(reply.status).toBe(201);
    const { created_at: at } = await rowOf(registered(reply).id);
    expect(Math.abs(at.getTime() - Math.min(occurredAt.getTime(), Date.now()))).toBeLessThan(offMs < 0 ? 1 : 60_000);
  });

  it.each([
    ['401 days ago', -401 * 86_400_000],
    ['in 6 minutes', 360_000],
  ])('refuses a time that is more than 400 days ago, or more than 5 minutes ahead: %s', async (_when, offMs) => {
    const { post } = await givenPartner(api);
    const occurredAt = new Date(Date.now() + offMs).toISOString();
    const message = expect.stringMatching(/^occurredAt: expected a time at most 5 minutes ahead/);
    expect(await post('/lead', clicked({ occurredAt }))).toMatchObject({ status: 400, body: { message } });
  });

  it.each([
    [{}, 'url: expected a string'],
    [
      { url: 'shop.example/?gclid=1' },
      'url: expected an http or https URL, such as https://shop.example/?gclid=Cj0KCQ',
    ],
    [{ url: 'javascript:alert(1)' }, 'url: expected an http or https URL, such as https://shop.example/?gclid=Cj0KCQ'],
    [{ url: 'https://shop.example/?a=\u0000' }, 'url: has control characters'],
    [{ url: `https://shop.example/?gclid=${'x'.repeat(17_000)}` }, 'url: longer than 16384 characters'],
    [
      { url: 'https://shop.example/?gclid=1', cookies: 'a=1' },
      'cookies: expected an object such as {"_fbp": "fb.1.1700000000000.1234567890"}',
    ],
    [
      { url: 'https://shop.example/?gclid=1', globalPrivacyControl: 'yes' },
      'globalPrivacyControl: expected true or false',
    ],
    [{ url: 'https://shop.example/?gclid=1', occurredAt: 'yesterday' }, /^occurredAt: expected a time with its offset/],
  ])('refuses %j, and names what is wrong', async (body, message) => {
    const { post } = await givenPartner(api);
    const reply = await post('/lead', body);
    expect(reply.status).toBe(400);
    expect(reply.headers.get('leadback-error')).toBe('invalid-fields');
    expect(z.object({ message: z.string() }).parse(reply.body).message).toMatch(message);
  });

  it('records a lead without an address that is none, and warns', async () => {
    const { post } = await givenPartner(api);
    const reply = await post('/lead', clicked({ ip: 'unknown' }));
    expect([reply.status, reply.headers.get('leadback-warning')]).toEqual([201, 'not-usable;field=ip']);
    expect((await post('/lead', clicked({ ip: '::ffff:203.0.113.7' }))).headers.get('leadback-warning')).toBeNull();
  });

  it('takes null for what was not sent', async () => {
    const { post } = await givenPartner(api);
    const empty = { referrer: null, ip: null, userAgent: null, cookies: null, consent: null, page: null };
    const { id } = registered(await post('/lead', clicked({ ...empty, globalPrivacyControl: null })));
    expect(await rowOf(id)).toMatchObject({ global_privacy_control: false });
  });

  it('tells a test key, and no live key, what platforms would miss', async () => {
    const live = await givenPartner(api);
    const test = await givenPartner(api, { account: live.account, isTest: true });
    const warned = async (change: object) => {
      const body = { url: `https://shop.example/?gclid=${gclid()}`, ip: '203.0.113.7', userAgent: chrome, ...change };
      expect(registered(await live.post('/lead', body)).warnings).toBeUndefined();
      return registered(await test.post('/lead', body)).warnings;
    };
    for (const [change, said] of [
      [{ ip: undefined }, /^Send the `ip` of the visitor/],
      [{ ip: '10.0.0.7' }, /^`ip` is of your own network/],
      [{ ip: '::ffff:127.0.0.1' }, /^`ip` is of your own network/],
      [{ url: 'https://shop.example/?gclid=test' }, /^`gclid` in `url` is a word that stands for none/],
      [{ url: 'https://shop.example/?gclid={gclid}&utm_source=x' }, /^`gclid` in `url` is a template/],
      [{ userAgent: undefined }, /^Send the `userAgent`/],
      [{ cookies: { _fbp: 'fb.1.17' } }, /^The cookie `_fbp`/],
      [{ cookies: { _fbc: 'IwAR0' } }, /^The cookie `_fbc`/],
      [{ cookies: { leadback: 'Zk3v' } }, /^The cookie `leadback`/],
    ] as const)
      expect([change, await warned(change)]).toEqual([change, [expect.stringMatching(said)]]);
    expect(
      await warned({ cookies: { _fbp: 'fb.1.1700000000000.1234567890', _fbc: 'fb.1.1700000000000.IwAR0' } }),
    ).toEqual([]);
  });

  it('tells a live client that its lead is of a test, and no other account', async () => {
    const [live, other] = [await givenPartner(api), await givenPartner(api)];
    const test = await givenPartner(api, { account: live.account, isTest: true });
    const { leadReference } = registered(await test.post('/lead', clicked()));
    const message =
      'leadReference: the lead is of a test, and the key is live; send a click that a live key registered';
    expect(await live.post('/client', { leadReference })).toMatchObject({ status: 404, body: { message } });
    const sale = { amount: 10, currency: 'USD', leadReference, email: `${unique('buyer')}@x.example` };
    expect(await live.post('/client/conversion', sale)).toMatchObject({ status: 404, body: { message } });
    const unknown = { message: 'leadReference: no lead of this account has this reference' };
    expect(await other.post('/client', { leadReference })).toMatchObject({ status: 404, body: unknown });
  });

  it('needs a key that may register', async () => {
    const { account } = await givenPartner(api);
    const key = await givenApiKey(api.database.em(), { account, scopes: ['read'] });
    const reply = await api.send('POST', '/api/v1/lead', { key, body: clicked() });
    expect([reply.status, reply.headers.get('leadback-error')]).toEqual([403, 'scope-missing']);
  });

  it('makes leads of tests with a test key, which count nowhere and which no live client can have', async () => {
    const live = await givenPartner(api);
    const test = await givenPartner(api, { account: live.account, isTest: true });
    const before = await leadsOf(live.account.id);
    const body = clicked({ ip: '203.0.113.7' });
    const { id, leadReference, warnings } = registered(await test.post('/lead', body));
    expect(warnings).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ is_test: true });
    expect(registered(await live.post('/lead', body)).leadReference).not.toBe(leadReference);
    const { id: accountId } = live.account;
    const { rows } = await api.database.pool.query(
      `select coalesce(sum(change), 0)::int as leads from metric_increment i
       join landing_page p on p.id = i.landing_page_id where i.account_id = $1 and measure = 'leads' and p.is_of_server`,
      [accountId],
    );
    expect([rows, await leadsOf(accountId)]).toEqual([[{ leads: 1 }], before + 2]);

    const unknown = await live.post('/client', { leadReference, externalReference: unique('customer') });
    expect([unknown.status, unknown.headers.get('leadback-error')]).toEqual([404, 'lead-unknown']);
    const known = await live.post('/client', { leadReference, externalReference: 'C1' });
    expect(known.headers.get('leadback-warning')).toBe('lead-ignored;field=leadReference');
    const sale = { amount: 1, currency: 'USD', leadReference };
    const ofNobody = await live.post('/client/conversion', { ...sale, email: `${unique('a')}@x.example` });
    expect(ofNobody.headers.get('leadback-error')).toBe('lead-unknown');
    const byEmail = await live.post('/client/conversion', { ...sale, email: 'ana@x.example' });
    expect(byEmail.status).toBe(201);
    const batch = await live.clients([{ leadReference, externalReference: unique('customer') }]);
    expect(batch.counts).toMatchObject({ created: 0, refused: 1 });
    const { rows: clicks } = await api.database.pool.query('select from client_lead where lead_id = $1', [id]);
    expect(clicks).toEqual([]);
    const ofTest = await test.post('/client', { leadReference, externalReference: unique('customer') });
    expect(ofTest.status).toBe(201);
  });

  it('keeps leads of tests out of the metrics also when an account changes its time zone', async () => {
    const live = await givenPartner(api);
    const test = await givenPartner(api, { account: live.account, isTest: true });
    const { id: accountId } = live.account;
    await live.post('/lead', clicked());
    await test.post('/lead', clicked());
    await test.post('/lead', clicked());
    const total = async () => {
      const { rows } = await api.database.pool.query(
        `select (select coalesce(sum(value), 0) from account_metric where account_id = $1 and measure = 'leads')
              + (select coalesce(sum(change), 0) from metric_increment where account_id = $1 and measure = 'leads') as n`,
        [accountId],
      );
      return z.object({ n: z.coerce.number() }).parse(rows[0]).n;
    };
    const before = await total();
    await api.database.pool.query(`select change_time_zone($1, 'Pacific/Kiritimati')`, [accountId]);
    await api.database.pool.query(`select change_time_zone($1, 'Pacific/Pago_Pago')`, [accountId]);
    expect(await total()).toBe(before);
  });

  it('records a visit after an erasure as another lead: what was erased stays erased', async () => {
    const { post } = await givenPartner(api);
    const body = clicked({ ip: '203.0.113.7' });
    const first = registered(await post('/lead', body));
    await api.database.pool.query('select strip_leads(array[$1::bigint])', [first.id]);
    const again = await post('/lead', body);
    expect(again.status).toBe(201);
    expect(registered(again).leadReference).not.toBe(first.leadReference);
    expect(await rowOf(first.id)).toMatchObject({ click_parameters: {}, landing_url: null });
  });

  it('is erased by a key of its own mode alone if it is of a test', async () => {
    const live = await givenPartner(api);
    const test = await givenPartner(api, { account: live.account, isTest: true });
    const body = clicked({ ip: '203.0.113.7' });
    const [ofLive, ofTest] = [registered(await live.post('/lead', body)), registered(await test.post('/lead', body))];
    for (const { leadReference } of [ofLive, ofTest]) {
      expect((await test.post('/client/erasure', { leadReference })).status).toBe(202);
    }
    while (await performNextErasure(api.database.pool, erasureTools(secretsKeys, 30)));
    expect(await rowOf(ofTest.id)).toMatchObject({ click_parameters: {}, user_agent: null });
    expect(await rowOf(ofLive.id)).toMatchObject({ user_agent: chrome });
  });

  it('costs one token of the rate of the key', async () => {
    const account = await givenAccount(api.database.em(), { rateLimit: 1 });
    const key = await givenApiKey(api.database.em(), { account });
    const statuses: number[] = [];
    for (let sent = 0; sent < 6; sent += 1) {
      statuses.push((await api.send('POST', '/api/v1/lead', { key, body: { url: 'https://shop.example/' } })).status);
    }
    expect(statuses.slice(0, 2)).toEqual([200, 200]);
    expect(statuses).toContain(429);
  });

  it('never fails by itself, whatever a visitor sends', async () => {
    const { post } = await givenPartner(api);
    const seed = randomInt(2 ** 31);
    const wild = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.constantFrom(...hostileStrings),
      fc.webUrl({ withQueryParameters: true }),
    );
    const names = fc.constantFrom(
      'gclid',
      'fbclid',
      'utm_campaign',
      'UTM_SOURCE',
      'amp;gclid',
      '__proto__',
      'gad_source',
    );
    const url = fc.oneof(
      wild,
      fc
        .array(fc.tuple(names, wild), { maxLength: 4 })
        .map(
          (pairs) =>
            `https://shop.example/?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')}`,
        ),
    );
    const body = fc.record(
      {
        url,
        referrer: wild,
        ip: wild,
        userAgent: wild,
        cookies: fc.dictionary(
          fc.oneof(wild, fc.constantFrom('_fbc', '_fbp', '__proto__')),
          fc.oneof(wild, fc.jsonValue()),
        ),
        page: wild,
      },
      { requiredKeys: ['url'] },
    );
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const { status, body: reply } = await post('/lead', sent);
        expect([200, 201, 400]).toContain(status);
        const cookies = status === 201 ? [registered({ body: reply }).setCookie] : [];
        const shape = /^leadback=[0-9A-Za-z]{22}\.\d+(; [\w-]+(=[\w./-]+)?)+$/;
        expect(cookies.filter((cookie) => !shape.test(cookie))).toEqual([]);
      }),
      { seed, numRuns: 400 },
    );
  });
});
