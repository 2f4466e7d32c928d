import { type LandingPage, Lead } from '@leadback/db';
import { scripts } from '@leadback/core/pages/script';
import { bufferedLeadRecorder } from '@leadback/core/leads/record';
import {
  bufferedLead,
  eventually,
  findLead,
  givenAccount,
  givenContacts,
  hostileStrings,
  secretsKeys,
  shared,
} from '@leadback/testing';
import { isGenuineLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { givenLanding, type Reply, type TestLanding } from './given-landing.ts';

const origin = 'https://shop.example';
const plain = 'text/plain;charset=UTF-8';
const clicked = `${origin}/shoes?gclid=Cj0KCQiA-script&utm_source=google`;

interface Sent {
  readonly origin?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** What the script sends for a visit of this URL. */
const report = (
  { visit }: Pick<TestLanding, 'visit'>,
  { slug }: Pick<LandingPage, 'slug'>,
  content: Record<string, unknown> = { url: clicked },
  { headers, body = JSON.stringify(content), ...sent }: Sent = {},
): Promise<Reply> => {
  const from = 'origin' in sent ? sent.origin : origin;
  return visit(`/${slug}/lead`, {
    method: 'POST',
    headers: { 'content-type': plain, ...(from !== undefined && { origin: from }), ...headers },
    body,
  });
};

const referenceOf = ({ status, html }: Reply): string => {
  expect([status, html]).toEqual([201, expect.stringMatching(/^\{"reference":"[0-9A-Za-z]{22}"\}$/)]);
  return String(Object(JSON.parse(html)).reference);
};

const scripted: NonNullable<Parameters<TestLanding['givenPage']>[0]> = {
  mode: 'script',
  origins: [origin],
  targetUrl: `${origin}/`,
};

describe('the script on the pages of an advertiser', async () => {
  const landing = await shared(givenLanding());
  const em = () => landing.database.em();
  const givenPage = (content: Parameters<typeof landing.givenPage>[0] = {}) =>
    landing.givenPage({ ...scripted, ...content });
  const countedOf = async ({ id }: LandingPage) => {
    const { rows } = await landing.database.pool.query(
      `select coalesce(sum(change), 0)::int as leads from metric_increment where landing_page_id = $1 and measure = 'leads'`,
      [id],
    );
    return Number(Object(rows[0]).leads);
  };

  it('records the click that it reports, and gets a reference that is genuine', async () => {
    const page = await givenPage();
    const reply = await report(
      landing,
      page,
      {
        url: `${clicked}&email=ana@x.example#top`,
        referrer: 'https://www.google.com/search?q=secret',
        cookies: { _fbp: 'fb.1.1700000000000.1234567890', _ttp: 'ttp-1', session: 'secret' },
        consent: { adUserData: 'granted', adPersonalization: 'granted' },
      },
      { headers: { 'x-forwarded-for': '203.0.113.7', 'accept-language': 'es-AR' } },
    );
    const reference = referenceOf(reply);
    expect(isGenuineLeadReference(leadReferenceKeys(secretsKeys), reference)).toBe(true);
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
    expect(reply.headers['set-cookie']).toBeUndefined();
    const lead = await findLead(em(), reference);
    expect(lead).toMatchObject({
      account: { id: page.account.id },
      landingPage: { id: page.id },
      isTest: false,
      clickParameters: {
        gclid: 'Cj0KCQiA-script',
        utm_source: 'google',
        _fbp: 'fb.1.1700000000000.1234567890',
        _ttp: 'ttp-1',
      },
      referrer: 'https://www.google.com/search',
      landingUrl: clicked,
      acceptLanguage: 'es-AR',
      ipAddress: '203.0.113.7',
      consent: true,
      consentScope: 'sharing',
      globalPrivacyControl: false,
    });
    expect(lead.userAgent).toContain('Android');
    expect(JSON.stringify(lead)).not.toContain('secret');
  });

  it('gets the same reference for the same click of the same visitor, however often and at the same time, and it counts once', async () => {
    const page = await givenPage();
    const replies = await Promise.all(Array.from({ length: 20 }, () => report(landing, page)));
    const again = await report(landing, page, { url: clicked }, { headers: { 'content-type': 'application/json' } });
    const references = new Set([...replies, again].map(referenceOf));
    expect(references.size).toBe(1);
    expect([await landing.leadsOf(page), await countedOf(page)]).toEqual([1, 1]);
  });

  it.each([
    ['click', { url: `${origin}/?gclid=another-click` }, {}],
    ['network', { url: clicked }, { 'x-forwarded-for': '198.51.100.1' }],
    ['browser', { url: clicked }, { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }],
  ])('gets another reference for another %s', async (_, content, headers) => {
    const page = await givenPage();
    const [first, other] = [
      referenceOf(await report(landing, page)),
      referenceOf(await report(landing, page, content, { headers })),
    ];
    expect(other).not.toBe(first);
    expect(await landing.leadsOf(page)).toBe(2);
  });

  it('makes a lead of a campaign without a click id, and no two visitors of it are one', async () => {
    const page = await givenPage();
    const content = { url: `${origin}/?utm_campaign=spring` };
    const references = [await report(landing, page, content), await report(landing, page, content)].map(referenceOf);
    expect(new Set(references).size).toBe(2);
  });

  it('takes over the clicks of the lead whose reference the browser keeps, unless the visitor does not allow it', async () => {
    const page = await givenPage();
    const first = referenceOf(await report(landing, page));
    const reported = async (url: string, kept: string, headers: Record<string, string> = {}) => {
      const content = { url, cookies: { leadback: `${kept}.1700000000.xabc` } };
      return findLead(em(), referenceOf(await report(landing, page, content, { headers })));
    };
    const { createdAt } = await findLead(em(), first);
    const letter = `${origin}/?utm_campaign=letter`;
    const second = await reported(letter, first);
    expect(second).toMatchObject({
      clickParameters: { gclid: 'Cj0KCQiA-script', utm_campaign: 'letter' },
      clickTimes: { gclid: createdAt.toISOString() },
    });
    const third = await reported(`${origin}/?fbclid=IwAR0`, second.reference);
    expect(third).toMatchObject({
      clickParameters: { gclid: 'Cj0KCQiA-script', fbclid: 'IwAR0' },
      clickTimes: { gclid: createdAt.toISOString() },
    });
    for (const [kept, headers] of [
      ['A'.repeat(22), {}],
      [first, { 'sec-gpc': '1' }],
    ] as const)
      expect((await reported(letter, kept, headers)).clickParameters).toEqual({ utm_campaign: 'letter' });
  });

  it.each([
    ['a URL without click id and campaign', { url: `${origin}/shoes?color=red` }, {}],
    ['a crawler', { url: clicked }, { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }],
    ['a page that is rendered in advance', { url: clicked }, { 'sec-purpose': 'prefetch;prerender' }],
    ['a visitor who has denied consent', { url: clicked, consent: { adUserData: 'denied' } }, {}],
  ])('keeps nothing of %s', async (_, content, headers) => {
    const page = await givenPage();
    const { status, html } = await report(landing, page, content, { headers });
    expect([status, html, await landing.leadsOf(page)]).toEqual([204, '', 0]);
  });

  it('keeps which words of consent the visitor has said', async () => {
    const page = await givenPage();
    const reference = referenceOf(await report(landing, page, { url: clicked, consent: { adUserData: 'granted' } }));
    expect(await findLead(em(), reference)).toMatchObject({ consent: null, adUserData: true });
  });

  it('records Global Privacy Control as landing pages do', async () => {
    const page = await givenPage();
    const reference = referenceOf(await report(landing, page, { url: clicked }, { headers: { 'sec-gpc': '1' } }));
    expect(await findLead(em(), reference)).toMatchObject({ globalPrivacyControl: true });
  });

  it.each([
    ['the site itself', origin, 204],
    ['another site', 'https://other.example', 403],
  ])('tells a browser that asks before it sends JSON whether %s may', async (_, from, status) => {
    const page = await givenPage();
    const asked = await landing.visit(`/${page.slug}/lead`, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'POST' },
    });
    expect(asked.status).toBe(status);
    const allowed = status === 204 ? { origin: from, methods: 'POST', headers: 'content-type' } : {};
    const { headers } = asked;
    expect({
      ...(headers['access-control-allow-origin'] !== undefined && { origin: headers['access-control-allow-origin'] }),
      ...(headers['access-control-allow-methods'] !== undefined && {
        methods: headers['access-control-allow-methods'],
      }),
      ...(headers['access-control-allow-headers'] !== undefined && {
        headers: headers['access-control-allow-headers'],
      }),
    }).toEqual(allowed);
  });

  it('finds no page that shows something, is off, or does not exist', async () => {
    const pages = [
      await landing.givenPage(),
      await landing.givenPage({ mode: 'direct' }),
      await givenPage({ isOn: false }),
    ];
    for (const page of [...pages, { slug: 'nobody' }, { slug: 'data' }]) {
      expect((await report(landing, page)).status).toBe(404);
    }
  });

  it('redirects visitors of an old link to the page on to the site, with the click and without a lead', async () => {
    const page = await givenPage({ targetUrl: `${origin}/shoes?color=red` });
    const { status, location } = await landing.visit(`/${page.slug}?gclid=G-1&utm_source=google&other=1`);
    expect([status, location]).toEqual([302, `${origin}/shoes?color=red&gclid=G-1&utm_source=google`]);
    expect(await landing.leadsOf(page)).toBe(0);
    expect(await landing.metrics()).toMatch(/leadback_visits_total\{mode="script",lead="none_script",.*\} [1-9]/);
  });
});

describe('a visitor who withdraws consent on a page with the script', async () => {
  const landing = await shared(givenLanding());
  const withdraw = (page: LandingPage, kept: string, headers: Record<string, string> = {}) =>
    report(
      landing,
      page,
      { url: `${origin}/`, cookies: { leadback: kept }, consent: { adUserData: 'denied' } },
      { headers },
    );
  const withdrawnAt = async (reference: string) =>
    (await findLead(landing.database.em(), reference)).consentWithdrawnAt ?? null;

  it('withdraws that of the lead which the browser keeps', async () => {
    const page = await landing.givenPage(scripted);
    const reference = referenceOf(await report(landing, page));
    expect(await withdrawnAt(reference)).toBeNull();
    expect((await withdraw(page, `${reference}.1700000000.abc`)).status).toBe(204);
    expect(await withdrawnAt(reference)).toBeInstanceOf(Date);
    expect(await landing.leadsOf(page)).toBe(1);
  });

  it('withdraws that of no lead of another account, and of none by an invented reference', async () => {
    const [page, foreign] = [await landing.givenPage(scripted), await landing.givenPage(scripted)];
    const reference = referenceOf(await report(landing, foreign));
    for (const kept of [reference, 'A'.repeat(22), '', '.']) expect((await withdraw(page, kept)).status).toBe(204);
    expect(await withdrawnAt(reference)).toBeNull();
    expect((await landing.database.pool.query('select from consent_withdrawal')).rowCount).toBe(0);
  });

  it('withdraws that of a lead which is buffered, once it is recorded', async () => {
    const page = await landing.givenPage(scripted);
    const lead = bufferedLead({ accountId: page.account.id, landingPageId: page.id });
    expect((await withdraw(page, lead.reference)).status).toBe(204);
    await bufferedLeadRecorder(landing.database.pool, givenContacts())(lead);
    expect(await withdrawnAt(lead.reference)).toBeInstanceOf(Date);
  });

  it('is limited like withdrawals without the cookie of the browser, by network and account', async () => {
    await using limited = await givenLanding({ withdrawalBurst: 1 });
    const page = await limited.givenPage(scripted);
    const references = await Promise.all(
      ['1', '2'].map(async (id) => referenceOf(await report(limited, page, { url: `${origin}/?gclid=click-${id}` }))),
    );
    for (const kept of references) {
      const content = { url: `${origin}/`, cookies: { leadback: kept }, consent: { adUserData: 'denied' } };
      expect((await report(limited, page, content)).status).toBe(204);
    }
    const { rows } = await limited.database.pool.query(
      'select count(consent_withdrawn_at)::int as withdrawn, count(*)::int as leads from lead',
    );
    expect(rows).toEqual([{ withdrawn: 1, leads: 2 }]);
  });
});

it('gives a reference while PostgreSQL is unavailable, the same as after it, and records the lead once it is there', async () => {
  await using landing = await givenLanding();
  const page = await landing.givenPage(scripted);
  await landing.heardOfNews();
  landing.loseDatabase();
  const content = { url: clicked, consent: { adUserData: 'granted', adPersonalization: 'denied' } };
  const reference = referenceOf(await report(landing, page, content));
  expect(await landing.leadsOf(page)).toBe(0);
  await landing.findDatabaseAgain();
  await eventually(async () => expect(await landing.leadsOf(page)).toBe(1));
  expect(referenceOf(await report(landing, page, content))).toBe(reference);
  expect(await landing.leadsOf(page)).toBe(1);
  const lead = await findLead(landing.database.em(), reference);
  expect(lead).toMatchObject({ consent: false, consentScope: 'personalisation', adUserData: true });
});

describe('a hostile caller of the address of the script', async () => {
  const landing = await shared(givenLanding());
  const page = await landing.givenPage({ ...scripted, origins: [origin, 'http://127.0.0.1:4000'] });

  it.each([
    undefined,
    'null',
    '',
    'https://evil.example',
    'https://shop.example.evil.test',
    'https://evil-shop.example',
    'https://www.shop.example',
    'http://shop.example',
    'https://shop.example:8443',
    'https://shop.example/',
    'https://SHOP.example',
    'https://shop.example, https://evil.example',
    'https://shop.example https://evil.example',
    'https://user@shop.example',
    '__proto__',
  ])('records nothing from the origin %s, and lets it read nothing', async (from) => {
    const before = await landing.leadsOf(page);
    const { status, headers, html } = await report(landing, page, { url: clicked }, { origin: from });
    expect([status, html, headers['access-control-allow-origin']]).toEqual([403, '', undefined]);
    expect(await landing.leadsOf(page)).toBe(before);
  });

  it.each([
    'https://evil.example/?gclid=G-1',
    'https://shop.example.evil.test/?gclid=G-1',
    'https://shop.example@evil.example/?gclid=G-1',
    'javascript:alert(1)//?gclid=G-1',
    'file:///etc/passwd?gclid=G-1',
    'data:text/html,?gclid=G-1',
  ])('records no visit of another site: %s', async (url) => {
    const { status } = await report(landing, page, { url });
    expect([status, await landing.leadsOf(page)]).toEqual([403, 0]);
  });

  it('records no lead for the page of another account from its own site', async () => {
    const account = await givenAccount(landing.database.em());
    const own = await landing.givenPage({ ...scripted, account, origins: ['https://rival.example'] });
    const rival = { url: 'https://rival.example/?gclid=G-1' };
    expect((await report(landing, page, rival, { origin: 'https://rival.example' })).status).toBe(403);
    const reference = referenceOf(await report(landing, own, rival, { origin: 'https://rival.example' }));
    expect(await findLead(landing.database.em(), reference)).toMatchObject({ account: { id: account.id } });
    expect(await landing.leadsOf(page)).toBe(0);
  });

  it('is refused a body of 1 MB before it has sent it, and one without an announced length', async () => {
    const large = JSON.stringify({ url: clicked, more: 'x'.repeat(1024 * 1024) });
    const announced = { 'content-length': String(Buffer.byteLength(large)) };
    for (const headers of [announced, { 'transfer-encoding': 'chunked' }]) {
      const { status } = await report(landing, page, {}, { headers, body: large });
      expect(status).toBe(413);
    }
    expect(await landing.leadsOf(page)).toBe(0);
  });

  it.each([
    '',
    'null',
    '[]',
    '"text"',
    '{',
    '{"url":1}',
    '{"url":"/shoes?gclid=G-1"}',
    '{"referrer":"https://shop.example/?gclid=G-1"}',
    `{"url":"${clicked}","consent":{"adUserData":"maybe"}}`,
    `{"url":"${clicked}","consent":"granted"}`,
    '[['.repeat(8_000),
    `{"url":"\u0000`,
  ])('is refused what cannot be read: %#', async (body) => {
    const { status } = await report(landing, page, {}, { body });
    expect([status, await landing.leadsOf(page)]).toEqual([422, 0]);
  });

  it.each([
    { 'content-type': 'text/html' },
    { 'content-encoding': 'gzip' },
    { 'content-type': 'text/plain;charset=utf-16' },
  ])('is refused a body of another kind: %j', async (headers) => {
    expect((await report(landing, page, { url: clicked }, { headers })).status).toBe(422);
  });

  it('changes nothing by names of prototypes and deep values', async () => {
    const deep = `${'['.repeat(4_000)}${']'.repeat(4_000)}`;
    const body = `{"__proto__":{"isAdmin":true,"origins":["https://evil.example"]},"constructor":{"prototype":{"isAdmin":true}},
      "url":"${clicked}","referrer":{"toString":1},"cookies":{"__proto__":{"_fbc":"x"},"_fbc":{"a":1},"_ttp":"ok","deep":${deep}}}`;
    const reference = referenceOf(await report(landing, page, {}, { body }));
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
    const { clickParameters, referrer } = await findLead(landing.database.em(), reference);
    expect([clickParameters, referrer]).toEqual([{ gclid: 'Cj0KCQiA-script', utm_source: 'google', _ttp: 'ok' }, null]);
  });

  it.each(hostileStrings.map((hostile) => [JSON.stringify(hostile), hostile]))(
    'leaves text alone with %s, which the page of the visitor shows as text',
    async (_, hostile) => {
      const marked = `<script>alert(1)</script>${hostile}`;
      const url = `${origin}/?${new URLSearchParams({ utm_campaign: marked, gclid: marked }).toString()}`;
      const reference = referenceOf(
        await report(landing, page, { url, referrer: hostile, cookies: { _ttp: hostile } }),
      );
      const { clickParameters } = await findLead(landing.database.em(), reference);
      expect(clickParameters['utm_campaign']).toContain('<script>alert(1)</script>');
      expect(clickParameters['gclid']).toBeUndefined();
      const shown = await landing.visit('/data', { form: { reference } });
      expect(shown.status).toBe(200);
      expect(shown.html).not.toContain('<script>alert');
      expect(shown.html).toContain('&lt;script&gt;alert(1)');
    },
  );

  it.each(['evil.example', 'shop.example', 'localhost:1', '[::1]'])(
    'changes nothing by the host %s, which no page and no response depends on',
    async (host) => {
      const headers = { host, 'x-forwarded-host': host, forwarded: `host=${host}` };
      const reference = referenceOf(await report(landing, page, { url: clicked }, { headers }));
      expect((await findLead(landing.database.em(), reference)).landingUrl).toBe(clicked);
      const script = await landing.visit('/leadback.js', { headers });
      expect(script.html).toBe(scripts[0].text);
    },
  );

  it('gets a response without an error of ours, whatever it sends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.string({ unit: 'binary' }),
          fc.record({ url: fc.webUrl(), cookies: fc.json() }).map((one) => JSON.stringify(one)),
        ),
        async (body) => {
          const { status } = await report(landing, page, {}, { body });
          expect([204, 403, 422]).toContain(status);
        },
      ),
      { numRuns: 200 },
    );
  });
});

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const click = (id: number | string) => ({ url: `${origin}/?gclid=flood-${id}` });

describe('a flood of reports from one network', async () => {
  const landing = await shared(givenLanding({ leadBurst: 5, leadRate: 0.0001 }));

  it('leaves as many leads as the limit allows, and costs no other visitor of the page or another page a reference', async () => {
    const [page, other] = [await landing.givenPage(scripted), await landing.givenPage(scripted)];
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, id) => report(landing, page, click(id), from('203.0.113.9'))),
    );
    const kept = replies.filter(({ status }) => status === 201).length;
    expect(kept).toBeLessThanOrEqual(10);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 204]));
    expect(await landing.leadsOf(page)).toBe(kept);
    referenceOf(await report(landing, page, click('another network'), from('198.51.100.9')));
    referenceOf(await report(landing, other, click('another page'), from('203.0.113.9')));
    expect(await landing.metrics()).toMatch(/leadback_visits_total\{mode="script",lead="none_limited",.*\} [1-9]/);
  });

  it('counts campaigns that nobody else brings as others, like visits', async () => {
    await using wide = await givenLanding();
    const page = await wide.givenPage(scripted);
    for (let index = 0; index < 30; index += 1)
      referenceOf(await report(wide, page, { url: `${origin}/?utm_campaign=invented-${index}` }));
    const others = await wide.database.em().count(Lead, { landingPage: page.id, countsAsOther: true });
    expect(others).toBe(10);
  });
});

describe('the file of the script', async () => {
  const landing = await shared(givenLanding());
  const [{ version, text }] = scripts;
  const page = await landing.givenPage(scripted);

  it.each([
    ['the newest', () => '/leadback.js', 'public, max-age=3600'],
    ['a version', () => `/leadback-${version}.js`, 'public, max-age=31536000, immutable'],
    ["the page's own name", () => `/${page.slug}.js`, 'public, max-age=3600'],
  ])('is there for every site, compressed, as %s', async (_, path, cacheControl) => {
    const reply = await landing.visit(path());
    expect([reply.status, reply.html]).toEqual([200, text]);
    expect(reply.headers).toMatchObject({
      'cache-control': cacheControl,
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    const again = await landing.visit(path(), { headers: { 'if-none-match': String(reply.headers.etag) } });
    expect([again.status, again.html]).toEqual([304, '']);
    const response = await fetch(`http://127.0.0.1:${landing.port}${path()}`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual(['gzip', text]);
  });

  it.each(['/leadback-0.0.0.js', '/leadback-1.js', '/nobody.js', '/constructor.js', '/__proto__.js', '/data.js'])(
    'is not at %s',
    async (path) => {
      expect((await landing.visit(path)).status).toBe(404);
    },
  );

  it('is not at the name of a page that shows something', async () => {
    const shown = await landing.givenPage({ title: 'Shown' });
    const { headers } = await landing.visit(`/${shown.slug}.js`);
    expect(headers['content-type']).toContain('text/html');
  });
});
