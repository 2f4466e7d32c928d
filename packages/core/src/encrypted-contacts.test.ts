import { randomBytes } from 'node:crypto';
import { Client, Lead, contactCipher } from '@leadback/db';
import { leadRecorder } from '@leadback/core/leads/record';
import { clientRegistrar } from '@leadback/core/clients/register';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { readClient } from '@leadback/core/clients/read';
import { findByText } from '@leadback/core/story/find';
import { accountScope } from '@leadback/core/people/access';
import { leadReferenceKeys } from '@leadback/domain/keys';
import {
  bufferedLead,
  givenAccount,
  givenConnection,
  givenContacts,
  givenDatabase,
  givenLandingPage,
  givenLead,
  secretsKeys,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';

const ana = { name: 'Ana Canary', email: 'Ana@canary.example', phoneNumber: '+54 11 5555 0001' };
const visitor = { name: 'Visitor Canary', email: 'Visitor@canary.example', phone: '+54 11 5555 0002' };
const ipAddress = '203.0.113.77';

describe('contact data', async () => {
  const database = await shared(givenDatabase());

  const given = async () => {
    const em = database.em();
    const account = await givenAccount(em);
    const contacts = givenContacts();
    const page = await givenLandingPage(em, { account });
    await givenConnection(em, { account });
    const lead = bufferedLead({ accountId: account.id, landingPageId: page.id, ...visitor, ipAddress });
    await leadRecorder(database.pool, contacts)(lead);
    const mode = { accountId: account.id, isTest: false };
    const options = { contacts, referenceKeys: leadReferenceKeys(secretsKeys), announce: () => {} };
    const register = clientRegistrar(database.pool, options);
    const convert = conversionRegistrar(database.pool, options);
    const client = await register(mode, { leadReference: lead.reference, ...ana });
    const claimed = async (conversionId: number, reading = givenContacts()) => {
      const { rows } = await database.pool.query<{ parcel_id: string }>(
        'select parcel_id from delivery where conversion_id = $1',
        [conversionId],
      );
      await database.pool.query('update delivery_due set not_before = now() where id = $1', [rows[0]?.parcel_id]);
      const parcel = await parcelClaimer(database.pool, reading)(Number(rows[0]?.parcel_id));
      return parcel?.deliveries[0];
    };
    const claim = async (conversionId: number) => {
      const event = (await claimed(conversionId))?.event;
      return event && 'client' in event ? { ...event.client, ipAddress: event.lead.ipAddress } : undefined;
    };
    return { account, lead, mode, contacts, register, convert, client, claim, claimed };
  };

  const rowsWith = async (table: string, id: number, text: string) => {
    const { rows } = await database.pool.query(
      `select from ${table} t where id = $1 and t::text ilike '%' || $2 || '%'`,
      [id, text],
    );
    return rows.length;
  };

  it('are nowhere in its leads and clients, and are read, found and sent to platforms', async () => {
    const { account, lead, mode, convert, client, claim } = await given();
    const { rows } = await database.pool.query<{ id: string }>('select id from lead where reference = $1', [
      lead.reference,
    ]);
    for (const text of ['canary', '5555', ipAddress]) {
      expect(await rowsWith('client', client.id, text)).toBe(0);
      expect(await rowsWith('lead', Number(rows[0]?.id), text)).toBe(0);
    }
    expect(await readClient(database.pool, givenContacts(), { ...mode, id: client.id })).toMatchObject(ana);
    const conversion = await convert(mode, { amount: '10.00', currency: 'USD', email: ' ANA@canary.example' });
    expect(await claim(conversion.id)).toMatchObject({ ...ana, ipAddress });
    const scope = await accountScope(database.pool, { role: 'admin', id: 0 }, account.id);
    if (!scope) throw new Error('no scope');
    const find = (text: string) => findByText(database.pool, givenContacts(), scope, text);
    expect((await find('ana@canary.example')).matches).toMatchObject([{ clientId: client.id, name: ana.name }]);
    expect((await find('visitor@canary.example')).matches).toMatchObject([
      { clientId: null, leadId: Number(rows[0]?.id), email: visitor.email },
    ]);
  });

  it('find the newest client with the email', async () => {
    const { lead, mode, register, client, convert } = await given();
    const clientOf = async () => {
      const { id } = await convert(mode, { amount: '10.00', currency: 'USD', email: ana.email });
      const { rows } = await database.pool.query<{ client_id: string }>(
        'select client_id from conversion where id = $1',
        [id],
      );
      return Number(rows[0]?.client_id);
    };
    expect(await clientOf()).toBe(client.id);
    const newer = await register(mode, { leadReference: lead.reference, ...ana });
    expect(await clientOf()).toBe(newer.id);
  });

  it('read as missing, never as an error, once the key of the account is dropped', async () => {
    const { account, mode, client, convert, claim } = await given();
    const conversion = await convert(mode, { amount: '10.00', currency: 'USD', email: ana.email });
    await database.pool.query('update account set data_key = null where id = $1', [account.id]);
    const nothing = { name: null, email: null, phoneNumber: null };
    expect(await readClient(database.pool, givenContacts(), { ...mode, id: client.id })).toMatchObject(nothing);
    expect(await claim(conversion.id)).toMatchObject({ ...nothing, ipAddress: null });
  });

  it('are not written any more of a forgotten account', async () => {
    const { account, mode } = await given();
    await database.pool.query('update account set data_key = null where id = $1', [account.id]);
    const { landingPage } = await givenLead(database.em(), { account });
    const lead = bufferedLead({ accountId: account.id, landingPageId: landingPage.id, ...visitor, ipAddress });
    await leadRecorder(database.pool, givenContacts())(lead);
    const options = {
      contacts: givenContacts(),
      referenceKeys: leadReferenceKeys(secretsKeys),
      announce: () => {},
    };
    const { id } = await clientRegistrar(database.pool, options)(mode, { leadReference: lead.reference, ...ana });
    const nothing = { contact: null };
    expect(await database.em().findOneOrFail(Client, id)).toMatchObject({ ...nothing, emailHash: null });
    const stored = await database.em().findOneOrFail(Lead, { reference: lead.reference });
    expect(stored).toMatchObject({ ...nothing, emailHash: null });
  });

  it('are not taken for missing by an app whose SECRETS_KEY lacks the key of the account, which sends nothing without them', async () => {
    const { mode, client, convert, claimed } = await given();
    const conversion = await convert(mode, { amount: '10.00', currency: 'USD', email: ana.email });
    const other = contactCipher([randomBytes(32)]);
    await expect(readClient(database.pool, other, { ...mode, id: client.id })).rejects.toThrow(
      'its key is not in SECRETS_KEY',
    );
    expect((await claimed(conversion.id, other))?.unreadable).toMatchObject({
      message: expect.stringContaining('its key is not in SECRETS_KEY'),
    });
    expect((await claimed(conversion.id))?.unreadable).toBeUndefined();
  });

  it('of one row cannot be read in another', async () => {
    const { mode, client } = await given();
    const other = await given();
    await database.pool.query('update client set contact = (select contact from client where id = $2) where id = $1', [
      other.client.id,
      client.id,
    ]);
    expect(await readClient(database.pool, givenContacts(), { ...other.mode, id: other.client.id })).toMatchObject({
      email: null,
    });
    expect(await readClient(database.pool, givenContacts(), { ...mode, id: client.id })).toMatchObject(ana);
  });
});
