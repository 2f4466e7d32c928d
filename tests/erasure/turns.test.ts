import { visitorErasuresPerHour } from '@leadback/erasure';
import { askErasure, erasureKeys } from '@leadback/erasure/ask';
import { newLeadProof } from '@leadback/secrets';
import { Client, openPool } from '@leadback/db';
import { givenAccount, givenClient, givenLead, secretsKeys } from '@leadback/test-fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { givenErasures, type GivenErasures } from './given-erasures.ts';

describe('the turns of erasures', () => {
  let given: GivenErasures;
  beforeEach(async () => {
    given = await givenErasures();
  });
  afterEach(() => given[Symbol.asyncDispose]());
  const em = () => given.database.em();
  const query = async (sql: string, values: readonly unknown[] = []) =>
    (await given.database.pool.query<Record<string, unknown>>(sql, [...values])).rows;

  const { proof, hash } = newLeadProof();
  const proofHash = Buffer.from(hash, 'hex');
  const visitor = { askedBy: 'visitor', actor: 'visitor' } as const;
  const ofVisitor = (accountId: number, leadReference: string) =>
    given.ask({ accountId, ...visitor, subject: { leadReference, proof } });
  const ofPartner = (accountId: number, leadReference: string) => given.ask({ accountId, subject: { leadReference } });
  const performedInTurn = async () => {
    const ids: string[] = [];
    for (let step = await given.perform(); step; step = await given.perform()) ids.push(step.id);
    return ids;
  };
  const givenLeft = async (account = givenAccount(em())) => {
    const lead = await givenLead(em(), { account: await account, proofHash });
    return { accountId: lead.account.id, reference: lead.reference };
  };

  it('are one for 300 requests of the same lead, however many ask and by whichever view of the page', async () => {
    const { accountId, reference } = await givenLeft();
    const ids = new Set<string>();
    await using landing = await openPool({ url: given.database.urlOf('landing'), applicationName: 'test' });
    const ask = () =>
      askErasure(landing.pool, erasureKeys(secretsKeys), {
        accountId,
        ...visitor,
        subject: { leadReference: reference, proof },
      });
    for (const id of await Promise.all(Array.from({ length: 300 }, ask))) ids.add(id);
    expect(ids.size).toBe(1);
    expect(await query('select state from erasure')).toEqual([{ state: 'pending' }]);
    const [id] = ids;
    expect(await performedInTurn()).toEqual([id]);
    // nothing is left to do
    expect(await ask()).toBe(id);
    expect(await query('select state from erasure')).toEqual([{ state: 'done' }]);
  });

  it('begin again for an erased lead of which the account has registered a client since', async () => {
    const account = await givenAccount(em());
    const lead = await givenLead(em(), { account, proofHash });
    const first = await ofVisitor(account.id, lead.reference);
    await performedInTurn();
    expect(await ofVisitor(account.id, lead.reference)).toBe(first);
    const on = em();
    on.create(Client, { account, lead, name: 'Ana' });
    await on.flush();
    const second = await ofVisitor(account.id, lead.reference);
    expect(second).not.toBe(first);
    expect(await performedInTurn()).toEqual([second]);
    expect(await query('select from client where name is not null')).toEqual([]);
  });

  it('of visitors come last: with 300 of them pending, a partner is next, in another account and in the same', async () => {
    const { id: flooded } = await givenAccount(em());
    for (let number = 0; number < 300; number += 1) {
      await ofVisitor(flooded, `${number}`.padStart(22, 'A'));
    }
    const same = await ofPartner(flooded, 'B'.repeat(22));
    const { id: other } = await givenAccount(em());
    const elsewhere = await ofPartner(other, 'C'.repeat(22));
    const next = [await given.perform(), await given.perform()].map((step) => step?.id);
    expect(new Set(next)).toEqual(new Set([same, elsewhere]));
    expect(await given.perform()).toMatchObject({ accountId: flooded, askedBy: 'visitor' });
  });

  it('go from account to account: one with a single visitor does not wait for all those of another', async () => {
    const many = await givenAccount(em());
    const single = await givenAccount(em());
    const three = [];
    for (const letter of ['A', 'B', 'C']) three.push(await ofVisitor(many.id, letter.repeat(22)));
    const one = await ofVisitor(single.id, 'D'.repeat(22));
    const performed = await performedInTurn();
    expect(performed).toHaveLength(4);
    expect(performed.slice(0, 2)).toContain(one);
    expect(performed.filter((id) => id !== one)).toEqual(three);
  });

  it('of visitors are at most so many in an account and hour; the rest wait, and hold up nobody', async () => {
    const account = await givenAccount(em());
    await query(
      `insert into erasure (id, account_id, asked_by, actor, named_by, state, finished_at)
       select 'filler ' || n, $1, 'visitor', 'visitor', 'lead', 'done', now() - interval '50 minutes'
       from generate_series(1, $2::int) n`,
      [account.id, visitorErasuresPerHour],
    );
    const waiting = await ofVisitor(account.id, 'A'.repeat(22));
    const partner = await ofPartner(account.id, 'B'.repeat(22));
    const elsewhere = await ofVisitor((await givenAccount(em())).id, 'C'.repeat(22));
    expect(await performedInTurn()).toEqual([partner, elsewhere]);
    await query(`update erasure set finished_at = finished_at - interval '10 minutes'`);
    expect(await performedInTurn()).toEqual([waiting]);
  });

  it('are taken over by an account that asks for what a visitor has asked for, under the same id', async () => {
    const { accountId, reference } = await givenLeft();
    const asked = () => given.ask({ accountId, ...visitor, subject: { leadReference: reference } });
    const id = await asked();
    expect(await given.perform()).toMatchObject({ id, outcome: 'asked' });
    expect(await asked()).toBe(id);
    expect(await ofPartner(accountId, reference)).toBe(id);
    expect(await given.perform()).toMatchObject({ id, outcome: 'done', isAnyoneErased: true });
  });

  it('do not let somebody who only knows the reference be in the way of the browser that left the lead', async () => {
    const { accountId, reference } = await givenLeft();
    const stranger = await given.ask({ accountId, ...visitor, subject: { leadReference: reference } });
    const forged = { leadReference: reference, proof: newLeadProof().proof };
    expect(await given.ask({ accountId, ...visitor, subject: forged })).not.toBe(stranger);
    await performedInTurn();
    const own = await ofVisitor(accountId, reference);
    expect(await given.perform()).toMatchObject({ id: own, outcome: 'done', isAnyoneErased: true });
  });
});

const givenImporting = async (rows: (reference: string) => readonly (readonly string[])[]) => {
  const given = await givenErasures();
  const { proof, hash } = newLeadProof();
  const client = await givenClient(given.database.em(), {
    email: 'ana@x.example',
    lead: { proofHash: Buffer.from(hash, 'hex') },
  });
  const lead = await client.lead.loadOrFail();
  const { pool } = given.database;
  const { rows: made } = await pool.query<{ id: string }>(
    `insert into import (account_id, is_test, is_dry_run, subject, columns, delimiter, state)
       values ($1, false, false, 'client', '{leadReference,email}', ',', 'running') returning id`,
    [lead.account.id],
  );
  const importId = made[0]?.id;
  for (const [index, cells] of rows(lead.reference).entries()) {
    await pool.query('insert into import_row (import_id, line, cells) values ($1, $2, $3)', [
      importId,
      index + 2,
      JSON.stringify(cells),
    ]);
  }
  const askedByVisitor = { askedBy: 'visitor', actor: 'visitor' } as const;
  const subject = { leadReference: lead.reference, proof };
  return { given, accountId: lead.account.id, pool, importId, visitor: { ...askedByVisitor, subject } };
};

describe('an erasure beside an import', () => {
  it('does not wait for one without rows of the person, and so holds up none', async () => {
    const { given, accountId, pool, importId } = await givenImporting(() => [['l', 'eva@x.example']]);
    await using _given = given;
    const worker = await pool.connect();
    await worker.query('begin');
    await worker.query('select from import where id = $1 for update', [importId]);
    const id = await given.ask({ accountId, subject: { email: 'ana@x.example' } });
    expect(await given.perform()).toMatchObject({ id, outcome: 'done', isAnyoneErased: true });
    await worker.query('rollback');
    worker.release();
  });

  it('waits for one with rows of the person if a visitor asks, without locking it, and then empties them', async () => {
    const { given, accountId, pool, importId, visitor } = await givenImporting((lead) => [[lead, 'ana@x.example']]);
    await using _given = given;
    const id = await given.ask({ accountId, ...visitor });
    const worker = await pool.connect();
    await worker.query('begin');
    await worker.query('select from import where id = $1 for update', [importId]);
    const next = await given.ask({ accountId, subject: { email: 'eva@x.example' } });
    expect(await given.perform()).toMatchObject({ id: next, outcome: 'done' });
    expect(await given.perform()).toBeUndefined();
    await worker.query(`update import set state = 'done', finished_at = now() where id = $1`, [importId]);
    await worker.query('commit');
    worker.release();
    await pool.query('update erasure set due_at = now() where id = $1', [id]);
    expect(await given.perform()).toMatchObject({ id, outcome: 'done' });
    expect((await given.receiptOf(id)).erased).toMatchObject({ clients: 1, importedRows: 1 });
  });

  it('waits for no longer than a day if a visitor asks', async () => {
    const { given, accountId, pool, visitor } = await givenImporting((lead) => [[lead, 'ana@x.example']]);
    await using _given = given;
    const id = await given.ask({ accountId, ...visitor });
    expect(await given.perform()).toBeUndefined();
    await pool.query(`update erasure set due_at = now(), requested_at = now() - interval '25 hours' where id = $1`, [
      id,
    ]);
    expect(await given.perform()).toMatchObject({ id, outcome: 'done' });
  });
});
