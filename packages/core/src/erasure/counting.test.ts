import { clientRegistrar } from '@leadback/core/clients/register';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { leadRecorder } from '@leadback/core/leads/record';
import { decryptSubject, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { leadReferenceKeys } from '@leadback/domain/keys';
import {
  bufferedLead,
  givenClient,
  givenConnection,
  givenContacts,
  givenConversion,
  givenDelivery,
  givenLandingPage,
  secretsKeys,
} from '@leadback/testing';
import { openPool } from '@leadback/db';
import { describe, expect, it } from 'vitest';
import { holdCounting } from '../../test/hold-counting.ts';
import { givenErasures, type GivenErasures } from '../../test/given-erasures.ts';

const email = 'canary@example.com';

/** A person with a conversion, of which one platform was told and another is to be told, and its erasure. */
const givenAsked = async () => {
  const given = await givenErasures();
  const em = given.database.em();
  const conversion = await givenConversion(em, { client: { email, lead: { clickParameters: { gclid: 'canary' } } } });
  const [account, client] = [await conversion.account.loadOrFail(), await conversion.client.loadOrFail()];
  const meta = await givenConnection(em, { account, platform: 'meta' });
  const google = await givenConnection(em, { account, platform: 'google' });
  await givenDelivery(em, { connection: meta, conversion, state: 'delivered' });
  const pending = await givenDelivery(em, { connection: google, conversion, state: 'pending' });
  const id = await given.ask({ accountId: account.id, subject: { email } });
  return { given, id, account, client, pending };
};

/** Kills the process that counts. A role may end its own sessions. */
const killCounting = async (given: GivenErasures) => {
  await using held = await holdCounting(given.database);
  await using killer = await openPool({ url: given.database.urlOf('api'), applicationName: 'killer' });
  const cutOff = given.perform().catch((error: unknown) => error);
  await killer.pool.query('select pg_terminate_backend($1)', [await held.counting()]);
  expect(await cutOff).toBeInstanceOf(Error);
};

const toldMeta = [{ platform: 'meta', events: 1, lastAt: expect.any(String) }];

describe('the counting of an erasure', () => {
  it('holds up neither visitors nor clients nor conversions of the account, and misses no delivery that is made meanwhile', async () => {
    const { given, id, account, client, pending } = await givenAsked();
    await using _given = given;
    const { pool } = given.database;
    const page = await givenLandingPage(given.database.em(), { account });
    await givenClient(given.database.em(), { account, externalReference: 'another' });
    const [contacts, announce] = [givenContacts(), () => {}];
    const referenceKeys = leadReferenceKeys(secretsKeys);
    const mode = { accountId: account.id, isTest: false };

    await using held = await holdCounting(given.database);
    const erasing = given.perform();
    await held.counting();
    const visit = bufferedLead({ accountId: account.id, landingPageId: page.id });
    expect(await leadRecorder(pool, contacts)(visit)).toBe(true);
    const register = clientRegistrar(pool, { contacts, announce, referenceKeys });
    const { reference: leadReference } = await client.lead.loadOrFail();
    expect(await register(mode, { leadReference, externalReference: 'new' })).toMatchObject({ outcome: 'created' });
    const sale = { amount: '10', currency: 'USD', clientExternalReference: 'another' } as const;
    expect(await conversionRegistrar(pool, { contacts, announce })(mode, sale)).toMatchObject({ isRepeated: false });
    await pool.query('select from client where id = $1 for key share nowait', [client.id]);
    await pool.query(`update delivery set state = 'delivered', closed_at = now() where id = $1`, [pending.id]);
    await held.letGo();

    expect(await erasing).toMatchObject({ id, outcome: 'done', isAnyoneErased: true });
    expect(await given.receiptOf(id)).toMatchObject({
      erased: { clients: 1, leads: 1 },
      platformsTold: [{ platform: 'google', events: 1 }, { platform: 'meta' }],
      pendingSkipped: 0,
    });
  });

  it('is done again for the same receipt if its process was killed, when nobody is found any more', async () => {
    const { given, id, account } = await givenAsked();
    await using _given = given;
    const { pool } = given.database;
    await killCounting(given);
    expect(await given.hits(email)).toEqual({});
    const { rows } = await pool.query<{ state: string; subject: Buffer }>('select state, subject from erasure');
    expect(rows).toMatchObject([{ state: 'pending' }]);
    // as an api of the version before would: it must not take it for a person whom nobody is
    const subject = rows[0]?.subject ?? Buffer.alloc(0);
    expect(() => decryptSubject(erasureKeys(secretsKeys), account.id, subject)).toThrow('expected object');
    // another api leaves it for a while to the process that erased
    expect(await given.perform()).toBeUndefined();
    await pool.query('update erasure set due_at = now()');
    expect(await given.perform()).toMatchObject({ id, outcome: 'done', isAnyoneErased: true });
    expect(await given.receiptOf(id)).toMatchObject({
      erased: { clients: 1, leads: 1 },
      platformsTold: toldMeta,
      pendingSkipped: 1,
    });
  });

  it('is tried until there is a receipt, however often it fails', async () => {
    const { given, id } = await givenAsked();
    await using _given = given;
    const { pool } = given.database;
    await using owner = await openPool({ url: given.database.ownerUrl, applicationName: 'test' });
    await owner.pool.query('revoke select on conversion_adjustment from leadback_api');
    expect(await given.perform()).toMatchObject({ id, outcome: 'retry' });
    for (const failures of [13, 5_000]) {
      await pool.query('update erasure set due_at = now(), failures = $1', [failures]);
      expect(await given.perform()).toMatchObject({ id, outcome: 'retry' });
    }
    await owner.pool.query('grant select on conversion_adjustment to leadback_api');
    await pool.query('update erasure set due_at = now()');
    expect(await given.perform()).toMatchObject({ id, outcome: 'done' });
    expect(await given.receiptOf(id)).toMatchObject({ erased: { clients: 1 }, platformsTold: toldMeta });
  });
});
