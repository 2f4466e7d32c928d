import { type Account, ConversionAdjustment, Lead } from '@leadback/db';
import { roles } from '@leadback/domain';
import {
  givenAccount,
  givenAdjustment,
  givenClient,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenLead,
  givenWebhook,
  unique,
  shared,
} from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { findReply, storyReply } from '../src/contract/find.ts';
import { mayDo } from '../src/sessions/authenticate.ts';
import { givenConsole, type SignedIn } from './given-console.ts';

describe('finding in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const em = () => console.database.em();
  const search = async (text: string, by: SignedIn = person) => {
    const { status, body } = await by.post(`/api/accounts/${account.id}/find`, { text });
    expect([text, status]).toEqual([text, 200]);
    return findReply.parse(body).matches;
  };
  const read = (query: string, by: SignedIn = person) => by.get(`/api/accounts/${account.id}/story?${query}`);
  const story = async (query: string, by: SignedIn = person) => storyReply.parse((await read(query, by)).body);
  const set = (table: string, id: number, column: string, value: string) =>
    console.database.pool.query(`update ${table} set ${column} = $2 where id = $1`, [id, value]);

  /** A sale of a client that came from a click on Google. */
  const givenSale = async () => {
    const reference = unique('order');
    const conversion = await givenConversion(em(), {
      account,
      amount: '149.90',
      client: {
        name: 'Ana Pérez',
        email: `Ana.${reference}@Shop.example`,
        phoneNumber: '+54 11 5555 0199',
        externalReference: `customer ${reference}`,
        lead: {
          clickParameters: { gclid: 'EAIaIQobChMI1234', utm_source: 'google', utm_campaign: 'verano' },
          email: 'ana@entered.example',
          consent: true,
          consentScope: 'sharing',
        },
      },
    });
    await set('conversion', conversion.id, 'external_reference', reference);
    const client = await conversion.client.loadOrFail();
    const lead = await client.lead.loadOrFail();
    return { conversion, client, lead, reference };
  };

  const found = async (text: string) =>
    (await search(text)).map(({ foundBy, leadId, clientId, conversionId }) => ({
      foundBy,
      leadId,
      clientId,
      conversionId,
    }));
  const shown = async (query: string) => {
    const [first] = (await story(query)).clients;
    return { ids: first?.conversions.map(({ id }) => id), hasMore: first?.hasMoreConversions };
  };

  it('finds an order by its id, and its client and lead by each of their names', async () => {
    const { conversion, client, lead, reference } = await givenSale();
    const refund = await givenAdjustment(em(), { conversion });
    await set('conversion_adjustment', refund.id, 'external_reference', `refund ${reference}`);
    await set('conversion', conversion.id, 'event_id', `event ${reference}`);
    const ids = { leadId: lead.id, clientId: client.id, conversionId: conversion.id };
    const ofClient = { ...ids, conversionId: null };
    expect(await found(` ${reference} `)).toEqual([{ foundBy: 'order', ...ids }]);
    expect(await found(`event ${reference}`)).toEqual([{ foundBy: 'event', ...ids }]);
    expect(await found(`refund ${reference}`)).toEqual([{ foundBy: 'adjustment', ...ids }]);
    expect(await found(String(conversion.id))).toEqual([{ foundBy: 'conversion', ...ids }]);
    expect(await found(`customer ${reference}`)).toEqual([{ foundBy: 'reference', ...ofClient }]);
    expect(await found(`ANA.${reference}@shop.example`)).toEqual([{ foundBy: 'email', ...ofClient }]);
    expect(await found(lead.reference)).toEqual([{ foundBy: 'lead', ...ofClient, clientId: null }]);
    expect(await found('ANA@entered.example')).toEqual([{ foundBy: 'lead-email', ...ofClient, clientId: null }]);
    expect(await found(`${reference}?`)).toEqual([]);
  });

  it('finds tests and live data alike, and says which is which', async () => {
    const email = `${unique('both')}@example.com`;
    await givenClient(em(), { account, email });
    await givenClient(em(), { account, email, isTest: true });
    expect((await search(email)).map(({ isTest }) => isTest)).toEqual([false, true]);
  });

  it('finds the lead of a visitor whose email has letters beyond ASCII, however it is spelled', async () => {
    const { id } = await givenLead(em(), { account, email: 'JOSE\u0301FA@Example.com' });
    expect((await search('jos\u00E9fa@example.com')).map(({ leadId }) => leadId)).toEqual([id]);
  });

  it('shows at most 20 of those with one email, newest first, and says that there are more', async () => {
    const email = `${unique('many')}@example.com`;
    const ids: number[] = [];
    for (let count = 0; count < 21; count += 1) ids.push((await givenClient(em(), { account, email })).id);
    const { body } = await person.post(`/api/accounts/${account.id}/find`, { text: email });
    const { matches, hasMore } = findReply.parse(body);
    expect(matches.map(({ clientId }) => clientId)).toEqual(ids.toReversed().slice(0, 20));
    expect(hasMore).toBe(true);
  });

  it('does not find or tell what belongs to another account', async () => {
    const { conversion, client, lead, reference } = await givenSale();
    account = await givenAccount(em());
    for (const text of [reference, String(conversion.id), lead.reference, 'ana@entered.example']) {
      expect(await search(text)).toEqual([]);
    }
    for (const query of [`lead=${lead.id}`, `client=${client.id}`, `conversion=${conversion.id}`]) {
      expect([query, (await read(query)).status]).toEqual([query, 404]);
    }
  });

  it('tells the whole story from the click to what each platform was told', async () => {
    const { conversion, client, lead, reference } = await givenSale();
    const meta = await givenConnection(em(), { account });
    const google = await givenConnection(em(), { account, platform: 'google' });
    const webhook = await givenWebhook(em(), { account });
    const adjustment = await givenAdjustment(em(), { conversion });
    await givenDelivery(em(), { connection: webhook, conversion, state: 'delivered' });
    const toMeta = await givenDelivery(em(), { connection: meta, conversion, state: 'delivered' });
    const toGoogle = await givenDelivery(em(), { connection: google, conversion, state: 'failed', reason: 'no' });
    const ofLead = await givenDelivery(em(), { connection: meta, client, state: 'skipped', reason: 'consent' });
    const ofRefund = await givenDelivery(em(), { connection: meta, adjustment, state: 'pending' });
    const told = await story(`conversion=${conversion.id}`);
    expect(told).toMatchObject({
      isMasked: false,
      lead: {
        id: lead.id,
        reference: lead.reference,
        campaign: [
          { name: 'utm_source', value: 'google' },
          { name: 'utm_campaign', value: 'verano' },
        ],
        clicks: [{ name: 'gclid', value: 'EAIaIQobChMI1234', clickedAt: null }],
        email: 'ana@entered.example',
        sharing: 'granted',
      },
      clients: [
        {
          id: client.id,
          name: 'Ana Pérez',
          phone: '+54 11 5555 0199',
          deliveries: [{ id: ofLead.id, event: 'lead', code: 'consent' }],
          conversions: [
            {
              id: conversion.id,
              externalReference: reference,
              amount: { currency: 'USD', amount: '149.90' },
              total: { currency: 'USD', amount: adjustment.amount },
              deliveries: [
                { id: toMeta.id, platform: 'meta', state: 'delivered' },
                { id: toGoogle.id, platform: 'google', state: 'failed' },
              ],
              adjustments: [{ id: adjustment.id, deliveries: [{ id: ofRefund.id, state: 'pending' }] }],
            },
          ],
          hasMoreConversions: false,
        },
      ],
      otherClients: 0,
    });
    expect(await story(`client=${client.id}`)).toEqual(told);
    expect(await story(`lead=${lead.id}`)).toEqual(told);
    expect(await em().count(ConversionAdjustment, { conversion })).toBe(1);
  });

  it('tells of the newest 20 conversions, and of an older one that was asked for', async () => {
    const client = await givenClient(em(), { account });
    const { rows } = await console.database.pool.query<{ id: string }>(
      `insert into conversion (account_id, client_id, lead_id, amount, currency, event_id, landing_page_id, campaign)
       select $1, $2, (select lead_id from client where id = $2), 10, 'USD', gen_random_uuid(), $3, '' from generate_series(1, 25) returning id`,
      [account.id, client.id, client.landingPageId],
    );
    const ids = rows.map(({ id }) => Number(id));
    expect(await shown(`client=${client.id}`)).toEqual({ ids: ids.slice(-20), hasMore: true });
    expect(await shown(`conversion=${ids[1]}`)).toEqual({ ids: [ids[1], ...ids.slice(-20)], hasMore: true });
  });

  it('tells of one client of a click that was given to several, and counts the others', async () => {
    const first = await givenClient(em(), { account });
    await console.database.pool.query(
      `insert into client (account_id, lead_id, landing_page_id, campaign) select $1, $2, $3, '' from generate_series(1, 11)`,
      [account.id, first.lead.id, first.landingPageId],
    );
    const ofOne = await story(`client=${first.id}`);
    expect([ofOne.clients.map(({ id }) => id), ofOne.otherClients]).toEqual([[first.id], 11]);
    const ofLead = await story(`lead=${first.lead.id}`);
    expect([ofLead.clients.length, ofLead.otherClients]).toEqual([10, 2]);
  });

  it('masks personal data for roles that may not see them, wherever they are', async () => {
    const { conversion, client, lead, reference } = await givenSale();
    const canaries = ['Ana', 'Pérez', 'Shop.example', 'entered', '0199', 'EAIaIQobChMI1234'];
    for (const role of ['marketer', 'partner-viewer'] as const) {
      const viewer = await console.person({ role, accounts: [account.id] });
      const replies = [
        await viewer.post(`/api/accounts/${account.id}/find`, { text: reference }),
        ...(await Promise.all(
          [`lead=${lead.id}`, `client=${client.id}`, `conversion=${conversion.id}`].map((query) => read(query, viewer)),
        )),
      ];
      for (const { status, text } of replies) {
        expect(status).toBe(200);
        expect(canaries.filter((canary) => text.includes(canary))).toEqual([]);
      }
    }
    const viewer = await console.person({ role: 'marketer', accounts: [account.id] });
    expect(await story(`client=${client.id}`, viewer)).toMatchObject({
      isMasked: true,
      lead: { email: 'a•••@e•••.example', clicks: [{ value: 'EAIa•••' }] },
      clients: [{ name: 'A••• P•••', email: 'A•••@S•••.example', phone: '•••99' }],
    });
    const admin = await console.person({ role: 'partner-admin', accounts: [account.id] });
    expect(await story(`client=${client.id}`, admin)).toMatchObject({
      isMasked: false,
      clients: [{ name: 'Ana Pérez' }],
    });
  });

  it('finds a lead by its reference as a cookie or an address has it', async () => {
    const { lead } = await givenSale();
    const { reference } = await em().findOneOrFail(Lead, { id: lead.id });
    const admin = await console.person({ role: 'partner-admin', accounts: [account.id] });
    for (const text of [
      `${reference}.1795251000`,
      `${reference}.1795251000.x1abc`,
      `https://x.example/?serviceId=${reference}`,
    ]) {
      const { text: body } = await admin.post(`/api/accounts/${account.id}/find`, { text });
      expect(body).toContain(`"leadId":${lead.id}`);
    }
  });

  it('shows the whole lead reference to the roles that may erase, and its beginning to others', async () => {
    const { conversion, client, lead } = await givenSale();
    const { reference } = await em().findOneOrFail(Lead, { id: lead.id });
    for (const role of roles) {
      const viewer = await console.person({ role, accounts: [account.id] });
      const replies = [
        await viewer.post(`/api/accounts/${account.id}/find`, { text: reference }),
        await read(`lead=${lead.id}`, viewer),
        await read(`client=${client.id}`, viewer),
        await read(`conversion=${conversion.id}`, viewer),
      ];
      const isWhole = mayDo(role, 'erase');
      const seen = isWhole ? reference : `${reference.slice(0, 6)}…`;
      for (const { status, text } of replies) {
        expect([role, status, text.includes(`"${seen}"`)]).toEqual([role, 200, true]);
        expect([role, text.includes(reference.slice(0, 7))]).toEqual([role, isWhole]);
      }
    }
    expect(roles.filter((role) => !mayDo(role, 'erase'))).toEqual(['marketer', 'partner-viewer']);
  });

  it('says of a lead that it is of a test, and what the advertiser told of its visitor', async () => {
    const { lead } = await givenSale();
    await console.database.pool.query(
      'update lead set is_test = true, consent = null, consent_scope = null, ad_user_data = true where id = $1',
      [lead.id],
    );
    await console.database.pool.query('update client set lead_id = $2 where lead_id = $1', [lead.id, lead.id + 1e9]);
    expect(await search(lead.reference)).toMatchObject([{ foundBy: 'lead', isTest: true }]);
    expect(await story(`lead=${lead.id}`)).toMatchObject({ lead: { isTest: true, sharing: 'agreed' } });
  });

  it('refuses a search for nothing, for control characters and for too much, and a story of nothing in particular', async () => {
    for (const text of ['', '   ', 'a\u0000b', 'x'.repeat(321)]) {
      expect((await person.post(`/api/accounts/${account.id}/find`, { text })).status).toBe(400);
    }
    for (const query of ['', 'lead=1&client=1', 'client=0', 'client=x', 'conversion=99999999999999999999']) {
      expect([query, (await read(query)).status]).toEqual([query, 400]);
    }
    expect((await read('client=9007199254740991')).status).toBe(404);
    expect(await search('9999999999999999')).toEqual([]);
  });
});
