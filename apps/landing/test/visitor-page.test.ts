import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Conversion, Delivery, Lead } from '@leadback/db';
import { clientRegistrar } from '@leadback/core/clients/register';
import {
  issueLeadReference,
  leadProofKeys,
  leadReferenceKeys,
  newLeadProof,
  writeOwnLead,
  encryptContact,
  contactOfLead,
} from '@leadback/domain/keys';
import {
  givenAdjustment,
  givenClient,
  givenConnection,
  givenContacts,
  givenConversion,
  givenDelivery,
  givenWebhook,
  hiddenFieldsIn,
  keysOfAccount,
  secretsKeys,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { cookieSet, givenLanding, handlesIn, referenceIn, sentBack } from './given-landing.ts';

const person = { name: 'Ana García', email: 'ana@example.com', phone: '+54 9 11 2345-6712' };
/** A reference that begins with a character, as only some do. */
const referenceFrom = (first: string): string => {
  for (;;) {
    const reference = issueLeadReference(leadReferenceKeys(secretsKeys));
    if (reference.startsWith(first)) return reference;
  }
};

const from = (address: string) => ({ 'x-forwarded-for': address });

describe('the page on which visitors see their data', async () => {
  const landing = await shared(givenLanding());
  const em = () => landing.database.em();

  it('shows what a click has left, with contact data masked and never the lead reference', async () => {
    const page = await landing.givenPage({
      title: 'Two for <one>',
      askedFields: ['name', 'email', 'phone'],
      consentText: 'May we?',
    });
    const path = `/${page.slug}?gclid=SecretClick&utm_campaign=summer%20%3Cb%3E&utm_source=news`;
    const left = await landing.submit(path, { ...person, consent: 'yes' }, from('203.0.113.77'));
    const reference = referenceIn(left.location);
    const { status, html, headers } = await landing.visit('/data', { headers: sentBack(left) });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
    for (const shown of [
      'Two for &lt;one&gt;',
      'shop.example',
      'campaign: summer &lt;b&gt;',
      'source: news',
      'Given',
      'A*** G***',
      'a***@e***.com',
      '+54 *** 12',
      '203.0.113.*',
      'None',
    ]) {
      expect(html).toContain(shown);
    }
    for (const hidden of [reference, 'Ana', 'García', 'ana@example.com', '2345', '203.0.113.77', 'SecretClick']) {
      expect(html).not.toContain(hidden);
    }
  });

  it('shows, masked, what the advertiser registered of the visitor, unless several clients came from the click', async () => {
    const page = await landing.givenPage({ mode: 'direct' });
    const left = await landing.visit(`/${page.slug}`);
    const reference = referenceIn(left.location);
    const shown = async () => (await landing.visit('/data', { headers: sentBack(left) })).html;
    expect(await shown()).not.toContain('Registered by the advertiser');
    const { database } = landing;
    const options = { contacts: givenContacts(), referenceKeys: leadReferenceKeys(secretsKeys), announce: () => {} };
    const register = clientRegistrar(database.pool, options);
    const mode = { accountId: page.account.id, isTest: false };
    await register({ ...mode, isTest: true }, { leadReference: reference, email: 'test@example.com' });
    await register(mode, { leadReference: reference, email: person.email, phoneNumber: person.phone });
    const html = await shown();
    for (const text of ['Registered by the advertiser', 'a***@e***.com', '+54 *** 12']) expect(html).toContain(text);
    for (const hidden of [person.email, '2345', 't***@e***.com']) expect(html).not.toContain(hidden);
    await register(mode, { leadReference: reference, email: 'other@example.com' });
    expect(await shown()).not.toContain('Registered by the advertiser');
  });

  it('shows no contact data of an account whose key was dropped', async () => {
    const page = await landing.givenPage({ askedFields: ['email'] });
    const left = await landing.submit(`/${page.slug}`, { email: person.email });
    const visit = () => landing.visit('/data', { headers: sentBack(left) });
    expect((await visit()).html).toContain('a***@e***.com');
    await landing.database.pool.query('update account set data_key = null where id = $1', [page.account.id]);
    const { status, html } = await visit();
    expect(status).toBe(200);
    expect(html).toContain('shop.example');
    expect(html).not.toContain('a***@e***.com');
  });

  it.each([
    ['page', { mode: 'page' }],
    ['direct', { mode: 'direct' }],
  ] as const)('remembers a lead of mode %s in a cookie that only it receives', async (_, mode) => {
    const page = await landing.givenPage(mode);
    const headers = { 'x-forwarded-proto': 'https' };
    const left =
      mode.mode === 'page'
        ? await landing.submit(`/${page.slug}`, {}, headers)
        : await landing.visit(`/${page.slug}`, { headers });
    const reference = referenceIn(left.location);
    const [pair = '', ...attributes] = cookieSet(left, `lead-${reference.charAt(0)}`).split('; ');
    expect(attributes).toEqual(['Max-Age=7776000', 'Path=/data', 'HttpOnly', 'Secure', 'SameSite=Lax']);
    const [named, pageId, proof = '', signature] = pair.split('.');
    expect([named, pageId]).toEqual([`lead-${reference.charAt(0)}=${reference}`, String(page.id)]);
    expect([proof, signature]).toEqual([
      expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      expect.stringMatching(/^[\w-]{16}$/),
    ]);
    const { rows } = await landing.database.pool.query<{ row: string; hash: string }>(
      `select lead::text as row, encode(proof_hash, 'hex') as hash from lead where reference = $1`,
      [reference],
    );
    expect(rows[0]?.hash).toBe(createHash('sha256').update(proof).digest('hex'));
    expect(rows[0]?.row).not.toContain(proof);
    expect((await landing.visit('/data', { headers: sentBack(left) })).html).toContain(
      '<section aria-labelledby="click-0">',
    );
  });

  it('has the same proof for a form that is sent twice, of which the lead is recorded once', async () => {
    const page = await landing.givenPage({ askedFields: ['email'] });
    const { html } = await landing.visit(`/${page.slug}`);
    const form = { ...hiddenFieldsIn(html), email: person.email };
    const [first, second] = [
      await landing.visit(`/${page.slug}`, { form }),
      await landing.visit(`/${page.slug}`, { form }),
    ];
    const name = `lead-${referenceIn(first.location).charAt(0)}`;
    expect(cookieSet(second, name)).toBe(cookieSet(first, name));
    expect((await landing.visit('/data', { headers: sentBack(second) })).html).toContain('a***@e***.com');
  });

  it('remembers the lead of a visitor who refuses consent and sends Global Privacy Control, and says so', async () => {
    const page = await landing.givenPage({ consentText: 'May we?' });
    const left = await landing.submit(`/${page.slug}`, {}, { 'sec-gpc': '1' });
    const { html } = await landing.visit('/data', { headers: sentBack(left) });
    expect(html).toContain('<dd>Refused</dd>');
    expect(html).toContain('<dd>Global Privacy Control</dd>');
  });

  it('shows the ten newest clicks of a browser, the newest first, on a page of at most 14 KB', async () => {
    const page = await landing.givenPage({ title: 'x'.repeat(200) });
    const text = 'y'.repeat(90);
    const clickParameters = { utm_source: text, utm_medium: text, utm_campaign: text };
    const cookies: string[] = [];
    const account = await page.account.loadOrFail();
    const keys = keysOfAccount(account);
    for (const [index, first] of Array.from('ABCDEFGHIJKL').entries()) {
      const reference = referenceFrom(first);
      const createdAt = new Date(Date.UTC(2026, 10, index + 1, 12));
      const { proof, hash } = newLeadProof();
      cookies.push(`lead-${first}=${writeOwnLead(leadProofKeys(secretsKeys), { reference, pageId: page.id, proof })}`);
      const proofHash = Buffer.from(hash, 'hex');
      const contact = encryptContact(keys, contactOfLead(account.id, reference), {
        ...person,
        ipAddress: '203.0.113.7',
      });
      const lead = { account, landingPage: page, reference, proofHash, clickParameters, createdAt };
      const one = em();
      one.create(Lead, { ...lead, contact: contact ?? null });
      await one.flush();
    }
    const { html } = await landing.visit('/data', { headers: { cookie: cookies.join('; ') } });
    expect([...html.matchAll(/on<\/dt><dd>(November \d+), 2026/g)].map(([, day]) => day)).toEqual(
      Array.from({ length: 10 }, (_, index) => `November ${12 - index}`),
    );
    expect(gzipSync(html).length).toBeLessThan(14 * 1024);
  });

  it('names each platform that was told, and when last', async () => {
    const client = await givenClient(em());
    const account = await client.account.loadOrFail();
    const lead = await client.lead.loadOrFail();
    const ofAccount = { account };
    const { landingPageId, campaign } = client;
    const sold = { amount: '10', currency: 'USD', eventId: 'sold' } as const;
    const conversion = em().create(Conversion, { account, client, leadId: lead.id, landingPageId, campaign, ...sold });
    const [meta, tiktok, google] = [
      await givenConnection(em(), { ...ofAccount, platform: 'meta' }),
      await givenConnection(em(), { ...ofAccount, platform: 'tiktok' }),
      await givenConnection(em(), { ...ofAccount, platform: 'google' }),
    ];
    const stored = em();
    stored.persist(conversion);
    await stored.flush();
    const delivered = { conversion, state: 'delivered' } as const;
    await givenDelivery(em(), { connection: meta, client, state: 'delivered' });
    await givenDelivery(em(), { connection: meta, ...delivered });
    await givenDelivery(em(), {
      connection: tiktok,
      adjustment: await givenAdjustment(em(), { conversion }),
      state: 'delivered',
    });
    await givenDelivery(em(), { connection: google, conversion, state: 'failed' });
    await givenDelivery(em(), { connection: await givenWebhook(em(), ofAccount), ...delivered });
    await landing.database.pool.query(
      `update delivery set closed_at = case when adjustment_id is null then timestamptz '2026-11-20 10:00Z' else '2026-11-21 10:00Z' end
       where account_id = $1`,
      [account.id],
    );
    const { html } = await landing.visit('/data', { form: { reference: ` ${lead.reference} ` } });
    expect(html).toContain(
      '<dd>TikTok: last on November 21, 2026 at 10:00 AM UTC</dd><dd>Meta: last on November 20, 2026 at 10:00 AM UTC</dd>',
    );
    expect(html).not.toMatch(/Google|webhook/i);
  });

  it.each([
    ['es', 'Tus datos', 'Este navegador no dejó ningún clic aquí.'],
    ['pt-BR', 'Seus dados', 'Este navegador não deixou nenhum clique aqui.'],
    ['fr', 'Your data', 'This browser has left no click here.'],
  ])('speaks to a browser that prefers %s', async (language, title, text) => {
    const { html } = await landing.visit('/data', { headers: { 'accept-language': language } });
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).toContain(text);
  });

  it.each([
    ['an invented reference', 'A'.repeat(22)],
    ['a reference of no lead', issueLeadReference(leadReferenceKeys(secretsKeys))],
    ['nothing', ''],
    ['something else', `' or true --`],
  ])('finds no click for %s', async (_, reference) => {
    const { status, html } = await landing.visit('/data', { form: { reference } });
    expect(status).toBe(404);
    expect(html).toContain('No click has this reference.');
    expect(handlesIn(html)).toEqual([]);
  });

  it('shows nothing for forged cookies', async () => {
    const lead = await givenClient(em(), { lead: {} }).then((client) => client.lead.loadOrFail());
    const forged = [`lead-X=${lead.reference}.1`, 'lead-A=AAAAAAAAAAAAAAAAAAAAAA.1', 'lead-B=x', 'lead-C='].join('; ');
    const name = lead.reference.startsWith('X') ? 'lead-Y' : 'lead-X';
    const { html } = await landing.visit('/data', { headers: { cookie: forged.replace('lead-X', name) } });
    expect(handlesIn(html)).toEqual([]);
  });

  it('is found at the foot of landing pages and notices', async () => {
    const page = await landing.givenPage({ language: 'pt' });
    expect((await landing.visit(`/${page.slug}`)).html).toContain(
      'href="/data" target="_blank" rel="noopener">Seus dados</a>',
    );
    expect((await landing.visit('/no-such-page')).html).toContain('href="/data"');
  });

  it('takes the place of a landing page with the same path', async () => {
    await using other = await givenLanding();
    const page = await other.givenPage({ title: 'An older page' });
    await other.database.pool.query(`update landing_page set slug = 'data', changed_at = now() where id = $1`, [
      page.id,
    ]);
    await other.heardOfNews();
    await other.heardOfNews();
    const { html } = await other.visit('/data');
    expect(html).toContain('<h1>Your data</h1>');
    expect((await other.visit('/data', { form: {} })).html).toContain('No click has this reference.');
  });

  it('answers 429 to a network that asks too often, and not to others', async () => {
    await using limited = await givenLanding({ visitorBurst: 2 });
    const visit = (address: string) => limited.visit('/data', { headers: from(address) });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await visit('203.0.113.9')).status);
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await visit('203.0.113.9');
    expect(refused.headers['retry-after']).toBe('60');
    expect(refused.html).toContain('Too many requests');
    expect((await visit('203.0.113.10')).status).toBe(200);
  });

  it('is open to a browser that proves to have left a lead although its network asks too often, but not to look up others', async () => {
    await using limited = await givenLanding({ visitorBurst: 3 });
    const page = await limited.givenPage({ mode: 'direct' });
    const left = await limited.visit(`/${page.slug}`);
    const reference = referenceIn(left.location);
    const network = from('203.0.113.9');
    const own = { ...network, ...sentBack(left) };
    for (let count = 0; count < 4; count += 1) await limited.visit('/data', { headers: network });
    const [handle = ''] = handlesIn((await limited.visit('/data', { headers: own })).html);
    expect((await limited.visit('/data/consent', { headers: own, form: { handle } })).status).toBe(200);
    expect((await limited.visit('/data/erase', { headers: own, form: { handle } })).status).toBe(200);
    const forged = { ...network, cookie: `lead-${reference.charAt(0)}=${reference}.${page.id}` };
    for (const request of [{ headers: network }, { headers: forged }, { headers: own, form: { reference } }]) {
      expect((await limited.visit('/data', request)).status).toBe(429);
    }
    expect((await limited.visit('/data', { headers: own })).status).toBe(429);
  });

  it('answers 429 to a network that asks too often with the cookies of many clicks, and not to others', async () => {
    await using limited = await givenLanding({ visitorBurst: 1 });
    const page = await limited.givenPage({ mode: 'direct' });
    const view = async (address: string) => {
      const left = await limited.visit(`/${page.slug}`, { headers: from(address) });
      return (await limited.visit('/data', { headers: { ...from(address), ...sentBack(left) } })).status;
    };
    const statuses = await Promise.all(Array.from({ length: 22 }, () => view('203.0.113.9')));
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    expect(await view('203.0.113.10')).toBe(200);
  });

  it('says when to come back while PostgreSQL is unavailable', async () => {
    await using alone = await givenLanding();
    const page = await alone.givenPage({ mode: 'direct' });
    const left = await alone.visit(`/${page.slug}`);
    alone.loseDatabase();
    const { status, headers, html } = await alone.visit('/data', { headers: sentBack(left) });
    expect([status, headers['retry-after']]).toEqual([503, '300']);
    expect(html).toContain('Please come back in five minutes.');
  });

  it('counts no delivery of another client or account', async () => {
    const [one, other] = [await givenConversion(em()), await givenConversion(em())];
    await givenDelivery(em(), {
      conversion: other,
      connection: await givenConnection(em(), { account: await other.account.loadOrFail() }),
      state: 'delivered',
    });
    expect(await em().count(Delivery, { conversion: other.id, state: 'delivered' })).toBe(1);
    const { reference } = await (await one.client.loadOrFail()).lead.loadOrFail();
    expect((await landing.visit('/data', { form: { reference } })).html).toContain('<dd>None</dd>');
  });
});
