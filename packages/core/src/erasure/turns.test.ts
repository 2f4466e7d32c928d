import { networkErasuresPerHour, visitorErasuresPerHour } from '@leadback/core/erasure/perform-erasure';
import {
  askErasure,
  erasureKeys,
  openErasuresPerNetwork,
  TooManyErasures,
  listAskedErasures,
} from './ask/ask-erasure.ts';
import { newLeadProof } from '@leadback/domain/keys';
import { Account } from '@leadback/db';
import { givenAccount, givenClient, givenLead, secretsKeys, openPatientPool } from '@leadback/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { givenErasures, type GivenErasures } from '../../test/given-erasures.ts';

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
    await using landing = await openPatientPool({ url: given.database.urlOf('landing'), applicationName: 'test' });
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
    await givenClient(em(), { lead, name: 'Ana' });
    const second = await ofVisitor(account.id, lead.reference);
    expect(second).not.toBe(first);
    expect(await performedInTurn()).toEqual([second]);
    expect(await query('select from client where contact is not null')).toEqual([]);
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
      `insert into erasure (id, account_id, asked_by, actor, named_by, state, finished_at, tried_at, network)
       select 'filler ' || n, $1, 'visitor', 'visitor', 'lead', 'done', now(), now() - interval '50 minutes', 'network ' || n
       from generate_series(1, $2::int) n`,
      [account.id, visitorErasuresPerHour],
    );
    const waiting = await ofVisitor(account.id, 'A'.repeat(22));
    const partner = await ofPartner(account.id, 'B'.repeat(22));
    const elsewhere = await ofVisitor((await givenAccount(em())).id, 'C'.repeat(22));
    expect(await performedInTurn()).toEqual([partner, elsewhere]);
    await query(`update erasure set tried_at = tried_at - interval '10 minutes'`);
    expect(await performedInTurn()).toEqual([waiting]);
  });

  const fromNetwork = (network: string, accountId: number, number: number, isProven = true) =>
    given.ask({
      accountId,
      ...visitor,
      network,
      subject: { leadReference: `${network}${number}`.padStart(22, 'A'), ...(isProven && { proof }) },
    });
  /** More than may be open at once, as if asked for one after the other. */
  const givenPending = async (network: string, accountId: number, count: number) => {
    for (let number = 0; number < count; number += 1) {
      await given.ask({
        accountId,
        ...visitor,
        subject: { leadReference: `${network}${number}`.padStart(22, 'A'), proof },
      });
    }
    await query('update erasure set network = $1 where network is null', [network]);
  };

  it('go from network to network: with 300 of one pending, that of another is next, and then they alternate', async () => {
    const { id: account } = await givenAccount(em());
    await givenPending('flood', account, 300);
    const other = await fromNetwork('home', account, 1);
    expect(await given.perform()).toMatchObject({ id: other, outcome: 'done' });
    for (const number of [2, 3]) await fromNetwork('home', account, number);
    const networks = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const step = await given.perform();
      const [row] = await query('select network from erasure where id = $1', [step?.id]);
      networks.push(row?.['network']);
    }
    expect(networks).toEqual(['flood', 'home', 'flood', 'home', 'flood']);
  });

  it('of one network are at most so many in an account and hour, and leave the rest of it to others', async () => {
    const { id: account } = await givenAccount(em());
    await givenPending('flood', account, networkErasuresPerHour + 1);
    expect(await performedInTurn()).toHaveLength(networkErasuresPerHour);
    const other = await fromNetwork('home', account, 1);
    expect(await performedInTurn()).toEqual([other]);
    await query(`update erasure set tried_at = tried_at - interval '1 hour'`);
    expect(await performedInTurn()).toHaveLength(1);
  });

  it('of visitors without proof count as well, and let accounts take turns', async () => {
    const left = await givenLeft();
    const many = [left.reference];
    for (let more = 0; more < 2; more += 1) {
      const account = await em().findOneOrFail(Account, { id: left.accountId });
      many.push((await givenLeft(Promise.resolve(account))).reference);
    }
    for (const leadReference of many) {
      await given.ask({ accountId: left.accountId, ...visitor, network: 'one', subject: { leadReference } });
    }
    expect(await given.perform()).toMatchObject({ accountId: left.accountId, outcome: 'asked' });
    const single = await ofVisitor((await givenAccount(em())).id, 'D'.repeat(22));
    expect(await given.perform()).toMatchObject({ id: single });
    const other = await fromNetwork('two', left.accountId, 1);
    expect(await given.perform()).toMatchObject({ id: other });
  });

  it('are at most so many open ones of a network in an account, of those without proof also while it decides', async () => {
    const { id: account } = await givenAccount(em());
    const ids = [];
    for (let number = 0; number < openErasuresPerNetwork; number += 1) {
      ids.push(await fromNetwork('flood', account, number));
    }
    await expect(fromNetwork('flood', account, 100)).rejects.toThrow(TooManyErasures);
    // the same again, another network, another account
    expect(await fromNetwork('flood', account, 0)).toBe(ids[0]);
    await fromNetwork('home', account, 1);
    await fromNetwork('flood', (await givenAccount(em())).id, 100);

    await query(`update erasure set state = 'asked', way = 'reference' where account_id = $1 and network = 'flood'`, [
      account,
    ]);
    await expect(fromNetwork('flood', account, 100, false)).rejects.toThrow(TooManyErasures);
    // who proves to have left the lead is in nobody's way, nor anybody in theirs
    await fromNetwork('flood', account, 100);
    await query(`update erasure set state = 'lapsed', finished_at = now() where state = 'asked'`);
    await fromNetwork('flood', account, 100, false);
  });

  it('are listed to the account in turn: those of a network with many do not hide the others', async () => {
    const { id: account } = await givenAccount(em());
    const asked = async (network: string, number: number) => {
      const id = await fromNetwork(network, account, number, false);
      await query(
        `update erasure set state = 'asked', way = 'reference', due_at = now() + interval '1 day' where id = $1`,
        [id],
      );
      return id;
    };
    const [home, proven] = [await asked('home', 1), await asked('office', 1)];
    await query(`update erasure set way = 'cookie' where id = $1`, [proven]);
    const flood = [];
    for (let number = 0; number < 5; number += 1) flood.push(await asked('flood', number));
    const listed = await listAskedErasures(given.api, erasureKeys(secretsKeys), account, 4);
    expect(listed.map(({ id }) => id)).toEqual([proven, flood[4], home, flood[3]]);
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

  it('empties no rows that name no more than the email of a client if a visitor asks: anybody may have typed it', async () => {
    const { given, accountId, pool, importId, visitor } = await givenImporting((lead) => [
      [lead, ''],
      ['l', 'ana@x.example'],
    ]);
    await using _given = given;
    await pool.query(
      `insert into reconciliation_row (reconciliation_id, account_id, number, email_hash)
       select 1, account_id, 1, email_hash from client where account_id = $1`,
      [accountId],
    );
    await pool.query(`update import set state = 'done', finished_at = now() where id = $1`, [importId]);
    const rows = async () => [
      ...(await pool.query('select cells from import_row where import_id = $1 order by line', [importId])).rows,
      ...(await pool.query('select email_hash is not null as "isNamed" from reconciliation_row')).rows,
    ];
    const id = await given.ask({ accountId, ...visitor });
    expect(await given.perform()).toMatchObject({ id, outcome: 'done' });
    expect(await rows()).toEqual([{ cells: ['', ''] }, { cells: ['l', 'ana@x.example'] }, { isNamed: true }]);
    const { erased, kept } = await given.receiptOf(id);
    expect(erased).toMatchObject({ clients: 1, importedRows: 1, listedRows: 0 });
    expect(kept.map(({ what }) => what)).toContain('emailsInFiles');
    await given.ask({ accountId, subject: { email: 'ana@x.example' } });
    await given.perform();
    expect(await rows()).toEqual([{ cells: ['', ''] }, { cells: ['', ''] }, { isNamed: false }]);
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
