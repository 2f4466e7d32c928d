import { clientRegistrar } from '@leadback/core/clients/register';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { decryptSubject, erasureKeys } from './ask/ask-erasure.ts';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { leadRecorder } from '@leadback/core/leads/record';
import { leadReferenceKeys } from '@leadback/domain/keys';
import {
  bufferedLead,
  everyRow,
  givenClient,
  givenConnection,
  givenContacts,
  givenConversion,
  givenDelivery,
  givenLandingPage,
  secretsKeys,
  openPatientPool,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { type GivenErasures, givenErasures } from '../../test/given-erasures.ts';
import { holdCounting } from '../../test/hold-counting.ts';

const email = 'canary@example.com';

const givenPending = async () => {
  const given = await givenErasures();
  const { account } = await givenClient(given.database.em(), { email });
  const id = await given.ask({ accountId: account.id, subject: { email } });
  return { given, id };
};

const facts = async ({ database: { pool } }: GivenErasures) => {
  const { rows } = await pool.query(
    `select state, failures, subject is not null as "isKept", receipt is not null as "hasReceipt",
            (select count(*)::int from client where contact is not null) as left,
            (select count(*)::int from audit_entry where action = 'client.erase') as entries from erasure`,
  );
  return rows[0];
};
const pending = { state: 'pending', failures: 0, isKept: true, hasReceipt: false, left: 1, entries: 0 };
const done = { state: 'done', failures: 0, isKept: false, hasReceipt: true, left: 0, entries: 1 };

describe('the queue of erasures', () => {
  it('keeps the person encrypted while an erasure waits, and no longer', async () => {
    const { given, id } = await givenPending();
    await using _given = given;
    const rows = async () => (await everyRow(given.database)).get('erasure')?.join();
    expect(await rows()).not.toContain('canary');
    expect(await facts(given)).toEqual(pending);
    expect(await given.perform()).toMatchObject({ id, outcome: 'done', isAnyoneErased: true });
    expect(await facts(given)).toEqual(done);
    expect(await given.perform()).toBeUndefined();
  });

  it('is worked off once by several instances of the api', async () => {
    const { given } = await givenPending();
    await using _given = given;
    const instances = await Promise.all(
      [1, 2, 3].map(() => openPatientPool({ url: given.database.urlOf('api'), applicationName: 'test' })),
    );
    const steps = await Promise.all(instances.map(({ pool }) => performNextErasure(pool, given.tools)));
    expect(steps.filter((step) => step !== undefined)).toHaveLength(1);
    expect(await facts(given)).toEqual(done);
    for (const instance of instances) await instance[Symbol.asyncDispose]();
  });

  it('has changed nothing of an erasure whose process was killed, and performs it again', async () => {
    const { given } = await givenPending();
    await using _given = given;
    // a role may end its own sessions
    await using killer = await openPatientPool({ url: given.database.urlOf('api'), applicationName: 'killer' });
    const holder = await given.database.pool.connect();
    await holder.query('begin; select from client for update');
    const cutOff = given.perform().catch((error: unknown) => error);
    await expect
      .poll(async () => {
        const ended = await killer.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'erasures' and wait_event_type = 'Lock'`,
        );
        return ended.rowCount === 1;
      })
      .toBe(true);
    await cutOff;
    await holder.query('rollback');
    holder.release();
    expect(await facts(given)).toEqual(pending);
    expect(await given.perform()).toMatchObject({ outcome: 'done' });
    expect(await facts(given)).toEqual(done);
  });

  it('tries an erasure again later if no key decrypts the person, and names the person no more when it gives up', async () => {
    const { given } = await givenPending();
    await using _given = given;
    const foreign = erasureTools([Buffer.alloc(32, 9)], 30);
    const fail = () => performNextErasure(given.api, foreign);
    expect(await fail()).toMatchObject({ outcome: 'retry' });
    expect(await fail()).toBeUndefined();
    expect(await facts(given)).toEqual({ ...pending, failures: 1 });
    const { pool } = given.database;
    const { rows } = await pool.query<{ s: number }>(
      'select extract(epoch from due_at - now())::int as s from erasure where due_at > now()',
    );
    expect(rows[0]?.s).toBeLessThan(6);
    await pool.query('update erasure set due_at = now(), failures = 19');
    expect(await fail()).toMatchObject({ outcome: 'failed' });
    expect(await facts(given)).toEqual({ ...pending, state: 'failed', failures: 20, isKept: false });
    expect(await given.perform()).toBeUndefined();
  });

  it('is verified with keys from before a rotation of SECRETS_KEY', async () => {
    const { given, id } = await givenPending();
    await using _given = given;
    await given.perform();
    const [old] = secretsKeys;
    const { account } = await givenClient(given.database.em(), { email });
    const another = await given.ask({ accountId: account.id, subject: { email } });
    expect(await performNextErasure(given.api, erasureTools([Buffer.alloc(32, 9), old], 30))).toMatchObject({
      outcome: 'done',
    });
    const receipts = [await given.receiptOf(id), await given.receiptOf(another)];
    expect(receipts.map((receipt) => receipt.id)).toEqual([id, another]);
    const { rows } = await given.database.pool.query('select count(distinct key_id)::int as keys from erasure');
    expect(rows).toEqual([{ keys: 2 }]);
  });
});

/** A person with a conversion, of which one platform was told and another is to be told, and its erasure. */
const givenAsked = async () => {
  const given = await givenErasures();
  const em = given.database.em();
  const conversion = await givenConversion(em, { client: { email, lead: { clickParameters: { gclid: 'canary' } } } });
  const [account, client] = [await conversion.account.loadOrFail(), await conversion.client.loadOrFail()];
  const meta = await givenConnection(em, { account, platform: 'meta' });
  const google = await givenConnection(em, { account, platform: 'google' });
  await givenDelivery(em, { connection: meta, conversion, state: 'delivered' });
  const waiting = await givenDelivery(em, { connection: google, conversion, state: 'pending' });
  const id = await given.ask({ accountId: account.id, subject: { email } });
  return { given, id, account, client, waiting };
};

/** Kills the process that counts. A role may end its own sessions. */
const killCounting = async (given: GivenErasures) => {
  await using held = await holdCounting(given.database);
  await using killer = await openPatientPool({ url: given.database.urlOf('api'), applicationName: 'killer' });
  const cutOff = given.perform().catch((error: unknown) => error);
  await killer.pool.query('select pg_terminate_backend($1)', [await held.counting()]);
  expect(await cutOff).toBeInstanceOf(Error);
};

const toldMeta = [{ platform: 'meta', events: 1, lastAt: expect.any(String) }];

describe('the counting of an erasure', () => {
  it('holds up neither visitors nor clients nor conversions of the account, and misses no delivery that is made meanwhile', async () => {
    const { given, id, account, client, waiting } = await givenAsked();
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
    await pool.query(`update delivery set state = 'delivered', closed_at = now() where id = $1`, [waiting.id]);
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
    await using owner = await openPatientPool({ url: given.database.ownerUrl, applicationName: 'test' });
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
