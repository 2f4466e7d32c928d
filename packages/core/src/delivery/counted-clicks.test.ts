import { readConversion } from '@leadback/core/conversions/read';
import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { clientRegistrar } from '@leadback/core/clients/register';
import { readClient } from '@leadback/core/clients/read';
import { claimParcelsOfConnections } from '@leadback/core/delivery/claim';
import type { Account } from '@leadback/db';
import type { Attributed, ClickParameters } from '@leadback/domain';
import { leadReferenceKeys } from '@leadback/domain/keys';
import {
  givenAccount,
  givenConnection,
  givenContacts,
  givenDatabase,
  givenLead,
  secretsKeys,
  shared,
  unique,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const ten = { amount: '10', currency: 'USD' } as const;

describe('which click of a client counts for a sale', async () => {
  const database = await shared(givenDatabase());
  const contacts = givenContacts();
  const options = { contacts, announce: () => {} };
  const registerClient = clientRegistrar(database.pool, { ...options, referenceKeys: leadReferenceKeys(secretsKeys) });
  const registerSale = conversionRegistrar(database.pool, options);
  const adjust = conversionAdjuster(database.pool, options);

  const givenShop = async (settings: Partial<Pick<Account, 'attribution'>> = {}) => {
    const account = await givenAccount(database.em(), settings);
    const connections = {
      google: await givenConnection(database.em(), { account, platform: 'google' }),
      meta: await givenConnection(database.em(), { account, platform: 'meta' }),
    };
    const mode = { accountId: account.id, isTest: false };
    const externalReference = unique('customer');
    type Seen = Parameters<typeof givenLead>[1];

    /** Of the same client, unless it is told otherwise. */
    const clicks = async (
      clickParameters: ClickParameters,
      createdAt: Date,
      { client = {}, ...seen }: Seen & { readonly client?: Partial<Parameters<typeof registerClient>[1]> } = {},
    ) => {
      const lead = await givenLead(database.em(), { account, clickParameters, createdAt, ...seen });
      const registered = await registerClient(mode, { leadReference: lead.reference, externalReference, ...client });
      return { ...registered, leadId: lead.id, reference: lead.reference };
    };
    const buys = (sale: Partial<Parameters<typeof registerSale>[1]> = {}) =>
      registerSale(mode, { ...ten, clientExternalReference: externalReference, ...sale });

    /** What a platform is told next. */
    const told = async (platform: keyof typeof connections): Promise<Attributed> => {
      const wanted = { connectionId: connections[platform].id, deliveries: 10, dueSince: '-infinity' } as const;
      const parcels = await claimParcelsOfConnections(database.pool, [wanted], contacts);
      const events = parcels.flatMap(({ deliveries }) => deliveries.map(({ event }) => event));
      const [event, ...others] = events;
      if (event === undefined || others.length > 0) throw new Error(`${events.length} events`);
      if (event.kind === 'webhook') throw new Error('a webhook');
      return 'conversion' in event ? event.conversion : event;
    };
    const read = (id: number) => readConversion(database.pool, mode, { id });
    return { account, mode, clicks, buys, told, read };
  };

  it('counts the newest click of a returning customer, and fills in what was not known of the client', async () => {
    const { mode, clicks, buys, told, read } = await givenShop();
    const first = await clicks({ gclid: 'Cj0Kfirst', fbclid: 'IwARfirst', utm_campaign: 'spring' }, hoursAgo(48), {
      client: { name: 'Ana' },
    });
    const second = await clicks({ gclid: 'Cj0Ksecond', fbclid: 'IwARsecond', utm_campaign: 'summer' }, hoursAgo(1), {
      client: { name: 'Eva', phoneNumber: '+54 11 2345-6789', email: 'ana@x.example' },
    });
    expect([first.outcome, second.outcome, second.id]).toEqual(['created', 'known', first.id]);
    expect(await readClient(database.pool, contacts, { ...mode, id: first.id })).toMatchObject({
      name: 'Ana',
      phoneNumber: '+54 11 2345-6789',
      email: 'ana@x.example',
      leadId: first.leadId,
    });
    const sale = await buys();
    expect(sale.leadId).toBe(second.leadId);
    const event = await told('google');
    expect(event.lead.clickParameters.gclid).toBe('Cj0Ksecond');
    expect(event.client).toMatchObject({ name: 'Ana', phoneNumber: '+54 11 2345-6789' });
    expect((await told('meta')).lead.clickParameters.fbclid).toBe('IwARsecond');
    expect(await read(sale.id)).toMatchObject({
      leadId: second.leadId,
      clicks: [
        { leadId: first.leadId, campaign: 'spring', counted: false },
        { leadId: second.leadId, campaign: 'summer', counted: true },
      ],
    });
    // found by the email that was not known at first
    expect((await buys({ clientExternalReference: undefined, email: 'ana@x.example' })).leadId).toBe(second.leadId);
  });

  it('tells each platform of the newest click that has its click id', async () => {
    const { clicks, buys, told, read } = await givenShop();
    const google = await clicks({ gclid: 'Cj0K' }, hoursAgo(48));
    const meta = await clicks({ fbclid: 'IwAR' }, hoursAgo(24));
    const direct = await clicks({ _fbp: 'fb.1.1795654162000.1234567890' }, hoursAgo(1));
    const sale = await buys();
    expect(sale.leadId).toBe(meta.leadId);
    expect((await told('google')).lead.clickParameters).toEqual({ gclid: 'Cj0K' });
    expect((await told('meta')).lead.clickParameters).toEqual({ fbclid: 'IwAR' });
    const { clicks: shown = [] } = (await read(sale.id)) ?? {};
    expect(shown.map(({ leadId, counted }) => [leadId, counted])).toEqual([
      [google.leadId, true],
      [meta.leadId, true],
      [direct.leadId, false],
    ]);
  });

  it('counts no click that came after the sale, whenever the sale is registered', async () => {
    const { clicks, buys, told } = await givenShop();
    const before = await clicks({ gclid: 'before' }, hoursAgo(48));
    await clicks({ gclid: 'after' }, hoursAgo(1));
    const sale = await buys({ occurredAt: hoursAgo(24).toISOString() });
    expect(sale.leadId).toBe(before.leadId);
    expect((await told('google')).lead.clickParameters.gclid).toBe('before');
  });

  it('counts the first click if the account chose so', async () => {
    const { clicks, buys, told } = await givenShop({ attribution: 'first' });
    await clicks({}, hoursAgo(72));
    const first = await clicks({ gclid: 'first' }, hoursAgo(48));
    await clicks({ gclid: 'second', fbclid: 'second' }, hoursAgo(1));
    expect((await buys()).leadId).toBe(first.leadId);
    expect((await told('google')).lead.clickParameters.gclid).toBe('first');
    expect((await told('meta')).lead.clickParameters.fbclid).toBe('second');
  });

  it('takes a click id that a later visit remembers for as old as its click', async () => {
    const { clicks, buys, told } = await givenShop();
    const phone = await clicks({ gclid: 'on the phone' }, hoursAgo(24));
    await clicks({ gclid: 'remembered' }, hoursAgo(1), { clickTimes: { gclid: hoursAgo(72).toISOString() } });
    expect((await buys()).leadId).toBe(phone.leadId);
    expect((await told('google')).lead.clickParameters.gclid).toBe('on the phone');
  });

  it('finds the click of an ad though a newsletter brought the newest client with the email', async () => {
    const { clicks, buys, told } = await givenShop();
    const email = 'ana@x.example';
    const person = { externalReference: undefined, email };
    const ad = await clicks({ gclid: 'of the ad' }, hoursAgo(48), { client: person });
    const newsletter = await clicks({ utm_source: 'newsletter' }, hoursAgo(1), { client: person });
    expect(newsletter.id).not.toBe(ad.id);
    const sale = await buys({ clientExternalReference: undefined, email });
    expect(sale.leadId).toBe(newsletter.leadId);
    expect((await told('google')).lead.clickParameters.gclid).toBe('of the ad');
  });

  it('does not mix the clicks of clients that share an email if the sale names one by its reference', async () => {
    const { clicks, buys, told } = await givenShop();
    const [email, other] = ['shared@x.example', unique('customer')];
    await clicks({ utm_source: 'newsletter' }, hoursAgo(48), { client: { email, externalReference: other } });
    await clicks({ gclid: 'of somebody else' }, hoursAgo(1), { client: { email } });
    await buys({ clientExternalReference: other });
    expect((await told('google')).lead.clickParameters).toEqual({ utm_source: 'newsletter' });
  });

  it('corrects a sale with the click with which it was reported', async () => {
    const { mode, clicks, buys, told } = await givenShop();
    await clicks({ gclid: 'first' }, hoursAgo(48));
    await clicks({ gclid: 'second', fbclid: 'second' }, hoursAgo(24));
    await clicks({ fbclid: 'third' }, hoursAgo(12));
    const sale = await buys({ occurredAt: hoursAgo(10).toISOString() });
    expect((await told('google')).lead.clickParameters.gclid).toBe('second');
    // a click before the sale that is registered after it
    await clicks({ gclid: 'late' }, hoursAgo(11));
    await adjust(mode, { conversionId: sale.id, kind: 'retract' });
    expect((await told('google')).lead.clickParameters.gclid).toBe('second');
  });

  it('takes the last word of a person about sharing, from whichever click, and silence for none', async () => {
    const sharingAfter = async (...visits: readonly NonNullable<Parameters<typeof givenLead>[1]>[]) => {
      const { clicks, buys, told } = await givenShop();
      for (const [at, visit] of visits.entries()) await clicks({ gclid: `click ${at}` }, hoursAgo(10 - at), visit);
      await buys();
      return (await told('google')).lead.sharing;
    };
    expect(await sharingAfter({ consent: false }, { consent: true })).toBe('granted');
    expect(await sharingAfter({ consent: true }, { consent: false })).toBe('refused');
    expect(await sharingAfter({ consent: false }, {})).toBe('refused');
    expect(await sharingAfter({ globalPrivacyControl: true }, {})).toBe('opted_out');
    expect(await sharingAfter({ consent: true, consentWithdrawnAt: hoursAgo(9.5) }, {})).toBe('withdrawn');
    expect(await sharingAfter({ consent: true }, { consent: true }, { consentWithdrawnAt: hoursAgo(1) })).toBe(
      'withdrawn',
    );
    expect(await sharingAfter({ consent: true, consentWithdrawnAt: hoursAgo(9.5) }, { consent: true })).toBe('granted');
  });

  it('gives no client a lead of another account, and ignores references that name none', async () => {
    const [shop, other] = [await givenShop(), await givenShop()];
    const own = await shop.clicks({ gclid: 'own' }, hoursAgo(48));
    const { reference } = await other.clicks({ gclid: 'of another account' }, hoursAgo(1));
    for (const leadReference of [reference, 'damaged', own.reference]) {
      expect((await shop.clicks({}, hoursAgo(2), { client: { leadReference } })).id).toBe(own.id);
    }
    expect((await shop.buys()).leadId).toBe(own.leadId);
  });
});
