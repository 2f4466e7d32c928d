import { type Account, transaction } from '@leadback/db';
import { completeErasure, erasureTools, performAtOnce } from '@leadback/core/erasure/perform-erasure';
import { askErasure, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { readReceiptKeys, verifyReceipt } from '@leadback/core/erasure/ask/receipt';
import {
  eventually,
  everyRow,
  givenAccount,
  givenClient,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenLead,
  secretsKeys,
  unique,
  shared,
} from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { countErasureReply, listErasuresReply, startErasureReply } from '../src/contract/erasures.ts';
import { givenConsole, givenEraser } from './given-console.ts';

describe('erasing in the console', async () => {
  const console = await shared(givenConsole());
  await shared(givenEraser(console));
  const person = await console.person();

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const em = () => console.database.em();
  const path = () => `/api/accounts/${account.id}/erasures`;
  const count = async (whom: unknown) => countErasureReply.parse((await person.post(`${path()}/count`, whom)).body);
  const start = async (whom: unknown) => startErasureReply.parse((await person.post(path(), whom)).body);
  const list = async () => listErasuresReply.parse((await person.get(path())).body);
  /** What is told of it once it has ended. */
  const ended = (id: string) =>
    eventually(async () => {
      const { receipts } = await list();
      const receipt = receipts.find((one) => one.id === id);
      if (!receipt) throw new Error(`no receipt ${id} yet`);
      return receipt;
    });
  /** Counts the rows that contain a text, by table. */
  const hits = async (text: string) =>
    [...(await everyRow(console.database))].flatMap(([table, rows]) =>
      rows.some((row) => row.toLowerCase().includes(text.toLowerCase())) ? [table] : [],
    );

  const givenPerson = async () => {
    const canary = unique('canary');
    const conversion = await givenConversion(em(), {
      account,
      client: { name: canary, email: `${canary}@example.com`, externalReference: `customer ${canary}` },
    });
    await givenClient(em(), { account, email: `${canary}@example.com`, isTest: true });
    await givenLead(em(), { account, email: `${canary}@example.com` });
    const connection = await givenConnection(em(), { account });
    await givenDelivery(em(), { connection, conversion, state: 'pending' });
    return canary;
  };

  it('counts what would be erased and what stays, live and test, and changes nothing', async () => {
    const canary = await givenPerson();
    const counted = { liveClients: 1, testClients: 1, leads: 3, importedRows: 0, conversions: 1, pendingDeliveries: 1 };
    expect(await count({ email: ` ${canary.toUpperCase()}@example.com ` })).toEqual(counted);
    expect(await count({ reference: `customer ${canary}` })).toMatchObject({
      liveClients: 1,
      testClients: 0,
      leads: 1,
    });
    expect(await hits(canary)).toEqual(['client', 'lead']);
    expect(await list()).toEqual({ started: [], asked: [], receipts: [] });
  });

  it('shows what the account has decided on however much visitors ask for', async () => {
    const { id } = await start({ email: `${unique('nobody')}@example.com` });
    await ended(id);
    const { pool } = console.database;
    await pool.query(
      `insert into erasure (id, account_id, asked_by, actor, named_by, state, finished_at, requested_at, receipt, signature, key_id)
       select 'flood ' || n, account_id, 'visitor', 'visitor', 'lead', 'done', now(), now(), receipt, signature, key_id
       from erasure, generate_series(1, 101) n where id = $1`,
      [id],
    );
    await pool.query(
      `insert into erasure (id, account_id, asked_by, actor, named_by, state, requested_at, due_at)
       select 'waiting ' || n, $1::bigint, 'visitor', 'visitor', 'lead', 'pending', now(), now() + interval '1 day' from generate_series(1, 6) n
       union all
       select 'failed', $1::bigint, 'console', 'ana@example.com', 'email', 'failed', now() - interval '1 day', now()`,
      [account.id],
    );
    const { started, receipts } = await list();
    expect(started.map((one) => one.id)).toEqual([
      'failed',
      expect.anything(),
      expect.anything(),
      expect.anything(),
      expect.anything(),
    ]);
    expect(receipts).toHaveLength(101);
    expect(receipts.at(-1)?.id).toBe(id);
  });

  it('shows what a visitor asked for without proof, and erases it when a person confirms it', async () => {
    const canary = unique('canary');
    const client = await givenClient(em(), { account, name: canary, email: `${canary}@example.com` });
    const { reference: leadReference } = await client.lead.loadOrFail();
    const id = await askErasure(console.database.pool, erasureKeys(secretsKeys), {
      accountId: account.id,
      askedBy: 'visitor',
      actor: 'visitor',
      subject: { leadReference },
    });
    await eventually(async () => expect((await list()).asked).toHaveLength(1));
    const asked = { id, leadReference, way: 'reference', requestedAt: expect.any(String), until: expect.any(String) };
    expect(await list()).toEqual({ started: [], asked: [asked], receipts: [] });
    expect(await hits(canary)).toEqual(['client']);
    const confirm = (of: number) => person.post(`/api/accounts/${of}/erasures/${id}/confirmation`, {});
    expect((await confirm((await givenAccount(em())).id)).status).toBe(404);
    expect((await confirm(account.id)).status).toBe(202);
    expect(await ended(id)).toMatchObject({ actor: person.email, clients: 1, leads: 1 });
    expect(await hits(canary)).toEqual([]);
    expect((await list()).asked).toEqual([]);
  });

  it('erases a person for good, and leaves a receipt that does not say who it was', async () => {
    const canary = await givenPerson();
    const { id, by } = await start({ email: `${canary}@example.com` });
    expect(by).toBe('email');
    await ended(id);
    expect(await hits(canary)).toEqual([]);
    const { started, receipts } = await list();
    expect(started).toEqual([]);
    expect(receipts).toEqual([
      {
        id,
        at: expect.any(String),
        actor: person.email,
        clients: 2,
        leads: 3,
        importedRows: 0,
        listedRows: 0,
        conversions: 1,
        pendingSkipped: 1,
        isSuppressed: false,
        url: `https://go.example/data/receipt/${id}`,
        signed: expect.any(Object),
      },
    ]);
    const signed = receipts.map((receipt) => receipt.signed);
    const keys = await readReceiptKeys(console.database.pool);
    expect(signed.map((one) => verifyReceipt(keys, one))).toEqual(['genuine']);
    expect(await count({ email: `${canary}@example.com` })).toMatchObject({ liveClients: 0, testClients: 0, leads: 0 });
  });

  it('gives a receipt without counts if nobody was found', async () => {
    const { id, state, by } = await start({ reference: unique('nobody') });
    expect({ state, by }).toEqual({ state: 'pending', by: 'reference' });
    expect(await ended(id)).toMatchObject({ clients: 0, leads: 0, importedRows: 0, listedRows: 0 });
  });

  it('shows receipts of the command line too, and none of other accounts', async () => {
    const canary = await givenPerson();
    const tools = erasureTools(secretsKeys, 30);
    const subject = { externalReference: `customer ${canary}` };
    const asked = { accountId: account.id, askedBy: 'operator', actor: 'operator ops', subject } as const;
    const { pool } = console.database;
    const { id } = await transaction(pool, (on) => performAtOnce(on, asked, tools));
    await completeErasure(pool, id, tools);
    expect((await list()).receipts).toMatchObject([{ actor: 'operator ops', clients: 1 }]);
    account = await givenAccount(em());
    expect(await list()).toEqual({ started: [], asked: [], receipts: [] });
  });

  it('lets a person allow an erased one again whom the account suppresses, with an entry in the audit log', async () => {
    const canary = await givenPerson();
    await console.database.pool.query(`update account set erased_persons = 'suppress' where id = $1`, [account.id]);
    const { id } = await start({ email: `${canary}@example.com` });
    expect(await ended(id)).toMatchObject({ isSuppressed: true });
    const allow = (of: number) => person.post(`/api/accounts/${of}/erasures/${id}/allowance`, {});
    await allow((await givenAccount(em())).id);
    expect(await ended(id)).toMatchObject({ isSuppressed: true });
    expect((await allow(account.id)).status).toBe(200);
    expect(await ended(id)).toMatchObject({ isSuppressed: false });
    const { rows } = await console.database.pool.query(
      `select actor, target from audit_entry where account_id = $1 and action = 'client.allow'`,
      [account.id],
    );
    expect(rows).toEqual([{ actor: person.email, target: `erasure ${id}` }]);
  });

  it('does not erase a person of another account', async () => {
    const canary = await givenPerson();
    account = await givenAccount(em());
    const { id } = await start({ email: `${canary}@example.com` });
    expect(await ended(id)).toMatchObject({ clients: 0, leads: 0 });
    expect(await hits(canary)).toEqual(['client', 'lead']);
  });

  it('refuses to guess: it takes either an email or a reference', async () => {
    for (const whom of [{}, { email: 'a@b.c', reference: 'x' }, { email: 'no address' }, { reference: 'x\u0000' }]) {
      expect([whom, (await person.post(path(), whom)).status]).toEqual([whom, 400]);
      expect([whom, (await person.post(`${path()}/count`, whom)).status]).toEqual([whom, 400]);
    }
  });
});
