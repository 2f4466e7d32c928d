import { claimParcelsOfConnections } from '@leadback/core/delivery/claim';
import { clientRegistrar } from '@leadback/core/clients/register';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { attributedOf, type Sharing } from '@leadback/domain';
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
const granted = { adUserData: 'granted', adPersonalization: 'granted' } as const;
const denied = { adUserData: 'denied', adPersonalization: 'denied' } as const;

describe('what an advertiser tells of consent', async () => {
  const database = await shared(givenDatabase());
  const contacts = givenContacts();
  const options = { contacts, announce: () => {} };
  const registerClient = clientRegistrar(database.pool, { ...options, referenceKeys: leadReferenceKeys(secretsKeys) });
  const registerSale = conversionRegistrar(database.pool, options);

  const givenShop = async (seen: Parameters<typeof givenLead>[1] = {}) => {
    const account = await givenAccount(database.em());
    const connection = await givenConnection(database.em(), { account, platform: 'google' });
    const mode = { accountId: account.id, isTest: false };
    const reference = unique('customer');
    type ClientInput = Parameters<typeof registerClient>[1];
    type SaleInput = Parameters<typeof registerSale>[1];
    const lead = await givenLead(database.em(), { account, createdAt: hoursAgo(2), ...seen });
    const tells = (client: Partial<ClientInput> = {}) =>
      registerClient(mode, { leadReference: lead.reference, externalReference: reference, ...client });
    const buys = (sale: Partial<SaleInput> = {}) =>
      registerSale(mode, { amount: '10', currency: 'USD', clientExternalReference: reference, ...sale });
    /** How the data of each delivery may be shared that was not sent yet, in the order of their registration. */
    const sharings = async (): Promise<Sharing[]> => {
      await database.pool.query(
        `update delivery_due set phase = 'waiting', not_before = now() where connection_id = $1`,
        [connection.id],
      );
      const wanted = { connectionId: connection.id, deliveries: 10, dueSince: '-infinity' } as const;
      const parcels = await claimParcelsOfConnections(database.pool, [wanted], contacts);
      return parcels
        .flatMap(({ deliveries }) => deliveries)
        .toSorted((one, other) => one.deliveryId - other.deliveryId)
        .flatMap(({ event }) => (event.kind === 'webhook' ? [] : [attributedOf(event).lead.sharing]));
    };
    return { account, mode, lead, tells, buys, sharings };
  };

  it('shares what was not sent yet by the newest word, from a client or from a sale', async () => {
    const { tells, buys, sharings } = await givenShop();
    await tells({ consent: granted });
    await buys();
    expect(await sharings()).toEqual(['granted']);
    await tells({ consent: denied });
    expect(await sharings()).toEqual(['withdrawn']);
    await buys();
    expect(await sharings()).toEqual(['withdrawn', 'refused']);
    await buys({ consent: granted });
    expect(await sharings()).toEqual(['granted', 'granted', 'granted']);
  });

  it('refuses a sale that comes with its refusal, and ends those that wait', async () => {
    const { tells, buys, sharings } = await givenShop();
    await tells();
    await buys();
    await buys({ consent: { adUserData: 'denied' } });
    expect(await sharings()).toEqual(['withdrawn', 'refused']);
  });

  it('keeps what a visitor refused while the advertiser says nothing of it', async () => {
    const { tells, buys, sharings } = await givenShop({ consent: false, consentScope: 'sharing' });
    await tells({ consent: undefined });
    await buys({ consent: {} });
    expect(await sharings()).toEqual(['refused']);
    await buys({ consent: { adPersonalization: 'granted' } });
    expect(await sharings()).toEqual(['refused', 'refused']);
    await tells({ consent: { adUserData: 'granted' } });
    expect(await sharings()).toEqual(['granted', 'granted']);
  });

  it('lets a later form of the visitor take back what the advertiser told', async () => {
    const { account, mode, tells, buys, sharings } = await givenShop();
    const { id } = await tells({ consent: granted });
    await buys();
    const again = await givenLead(database.em(), { account, consent: false, createdAt: new Date(Date.now() + 1000) });
    const known = await database.pool.query('select external_reference as reference from client where id = $1', [id]);
    await registerClient(mode, { leadReference: again.reference, externalReference: known.rows[0].reference });
    expect(await sharings()).toEqual(['refused']);
  });

  it('never undoes what a visitor has withdrawn', async () => {
    const { tells, buys, sharings } = await givenShop({ consent: true, consentWithdrawnAt: hoursAgo(1) });
    await tells({ consent: granted });
    await buys({ consent: granted });
    expect(await sharings()).toEqual(['withdrawn']);
  });

  it('counts the consent of a sale from when it occurred, and a refusal from when it is told', async () => {
    const { tells, buys, sharings } = await givenShop({ consent: false, createdAt: hoursAgo(48) });
    await tells({ consent: denied });
    await buys({ consent: granted, occurredAt: hoursAgo(1).toISOString() });
    expect(await sharings()).toEqual(['refused']);
    await tells({ consent: granted });
    await buys({ consent: denied, occurredAt: hoursAgo(24).toISOString() });
    expect(await sharings()).toEqual(['withdrawn', 'refused']);
  });

  it('takes the word of a buyer whom an email names for all clients with it, of one whom a reference names for that one', async () => {
    const { tells, buys, sharings } = await givenShop();
    const [email, other] = [`${unique('ana')}@x.example`, unique('customer')];
    await tells({ email });
    await buys();
    await tells({ email, externalReference: other });
    await buys({ clientExternalReference: other, consent: denied });
    expect(await sharings()).toEqual(['unasked', 'refused']);
    await buys({ clientExternalReference: undefined, email, consent: { adUserData: 'denied' } });
    expect(await sharings()).toEqual(['withdrawn', 'withdrawn', 'refused']);
  });

  it('is told with the buyer whom a sale registers', async () => {
    const { lead, buys, sharings } = await givenShop();
    await buys({ clientExternalReference: unique('new'), leadReference: lead.reference, consent: denied });
    expect(await sharings()).toEqual(['refused']);
  });

  it('ends with one word of those that arrive at the same time, and registers each sale', async () => {
    const { tells, buys, sharings } = await givenShop();
    await tells();
    const words = [granted, denied, { adUserData: 'granted' }, { adPersonalization: 'denied' }] as const;
    const sales = await Promise.all(Array.from({ length: 8 }, (_, at) => buys({ consent: words[at % words.length] })));
    expect(new Set(sales.map(({ id }) => id)).size).toBe(8);
    await buys({ consent: denied });
    expect((await sharings()).every((one) => one === 'withdrawn' || one === 'refused')).toBe(true);
  });
});
