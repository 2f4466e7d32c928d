import {
  givenAccount,
  givenAdjustment,
  givenClient,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenLead,
  unique,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenErasures, type GivenErasures } from '../../test/given-erasures.ts';

describe('the receipt of an erasure', async () => {
  const given = await shared(givenErasures());

  const em = () => given.database.em();
  const erase = async (toAsk: Parameters<GivenErasures['ask']>[0]) => {
    const id = await given.ask(toAsk);
    expect(await given.perform()).toMatchObject({ id, outcome: 'done' });
    return given.receiptOf(id);
  };

  it('says what was erased, what stays and why, which platforms were told, and until when backups have it', async () => {
    const canary = unique('canary');
    const conversion = await givenConversion(em(), {
      client: { name: canary, email: `${canary}@example.com`, lead: { clickParameters: { gclid: canary } } },
    });
    const [account, client] = [await conversion.account.loadOrFail(), await conversion.client.loadOrFail()];
    const adjustment = await givenAdjustment(em(), { conversion });
    const [meta, google] = [
      await givenConnection(em(), { account, platform: 'meta' }),
      await givenConnection(em(), { account, platform: 'google' }),
    ];
    const { id } = await givenDelivery(em(), { connection: meta, conversion, state: 'delivered' });
    await given.database.pool.query(
      `insert into delivery_attempt (account_id, delivery_id, outcome, duration_ms, answer)
       values ($1, $2, 'delivered', 1, $3)`,
      [account.id, id, `no match for ${canary}`],
    );
    await givenDelivery(em(), { connection: meta, adjustment, state: 'delivered' });
    await givenDelivery(em(), { connection: meta, client, state: 'delivered' });
    await givenDelivery(em(), { connection: google, conversion, state: 'pending' });

    const receipt = await erase({ accountId: account.id, subject: { email: `${canary}@Example.com` } });
    expect(receipt).toMatchObject({
      version: 1,
      accountId: account.id,
      askedBy: 'partner',
      isTest: false,
      erased: { clients: 1, leads: 1, importedRows: 0, listedRows: 0 },
      platformsTold: [{ platform: 'meta', events: 3, lastAt: expect.any(String) }],
      pendingSkipped: 1,
    });
    expect(receipt.kept.map(({ what, count }) => [what, count])).toEqual([
      ['conversions', 1],
      ['leads', 1],
      ['deliveries', undefined],
      ['webhookLog', undefined],
      ['metrics', undefined],
      ['recognition', undefined],
      ['idempotencyKeys', undefined],
      ['auditLog', undefined],
    ]);
    expect(receipt.kept.every(({ why }) => why !== '')).toBe(true);
    const inThirtyDays = new Date(Date.parse(receipt.finishedAt) + 30 * 86_400_000).toISOString().slice(0, 10);
    expect(receipt.notReached.map(({ what, until }) => [what, until])).toEqual([
      ['backups', inThirtyDays],
      ['platforms', undefined],
    ]);
    expect(await given.hits(canary)).toEqual({});
  });

  it('is given also if nobody was found, and does not say who was looked for', async () => {
    const { id: accountId } = await givenAccount(em());
    const canary = unique('nobody');
    const receipt = await erase({ accountId, subject: { externalReference: canary } });
    expect(receipt).toMatchObject({ erased: { clients: 0, leads: 0 }, platformsTold: [], notReached: [] });
    expect(await given.hits(canary)).toEqual({});
  });

  it('erases of a lead reference the lead and all clients registered from it, and nobody else', async () => {
    const canary = unique('canary');
    const lead = await givenLead(em(), { email: `${canary}@example.com`, clickParameters: { gclid: canary } });
    const account = await lead.account.loadOrFail();
    await givenClient(em(), { lead, name: canary, email: `${canary}.work@example.com` });
    const other = await givenClient(em(), { account, email: `other.${canary}@example.com` });
    const receipt = await erase({
      accountId: account.id,
      askedBy: 'operator',
      subject: { leadReference: lead.reference },
    });
    expect(receipt).toMatchObject({ askedBy: 'operator', erased: { clients: 1, leads: 1 } });
    expect(await given.hits(`${canary}@`)).toEqual({ client: 1 });
    expect(await given.hits(`${canary}.work`)).toEqual({});
    expect(await given.hits(`other.${canary}`)).toEqual({ client: 1 });
    const { id: foreign } = await givenAccount(em());
    const of = await erase({ accountId: foreign, subject: { leadReference: other.lead.getEntity().reference } });
    expect(of.erased).toMatchObject({ clients: 0, leads: 0 });
  });

  it('erases all clicks of a client, by whichever it is named', async () => {
    const canary = unique('canary');
    const clickParameters = { gclid: canary };
    const first = await givenLead(em(), { clickParameters });
    const account = await first.account.loadOrFail();
    const again = await givenLead(em(), { account, clickParameters, email: `${canary}.typed@example.com` });
    const client = await givenClient(em(), { lead: first, name: canary });
    await given.database.pool.query('insert into client_lead (client_id, lead_id, account_id) values ($1, $2, $3)', [
      client.id,
      again.id,
      account.id,
    ]);
    const receipt = await erase({ accountId: account.id, subject: { leadReference: again.reference } });
    expect(receipt).toMatchObject({ erased: { clients: 1, leads: 2 } });
    expect(await given.hits(canary)).toEqual({});
  });

  it('erases test clients alone if a test key asked', async () => {
    const canary = unique('canary');
    const lead = await givenLead(em(), { email: `${canary}@example.com` });
    const account = await lead.account.loadOrFail();
    for (const isTest of [true, false]) {
      await givenClient(em(), { lead, isTest, email: `${canary}@example.com`, externalReference: canary });
    }
    for (const subject of [
      { email: `${canary}@example.com` },
      { externalReference: canary },
      { leadReference: lead.reference },
    ]) {
      const receipt = await erase({ accountId: account.id, isTest: true, subject });
      expect(receipt).toMatchObject({ isTest: true, erased: { leads: 0 } });
    }
    const { rows } = await given.database.pool.query(
      'select is_test, contact is null as is_erased from client where account_id = $1 order by 1',
      [account.id],
    );
    expect(rows).toEqual([
      { is_test: false, is_erased: false },
      { is_test: true, is_erased: true },
    ]);
    expect(await given.hits(`${canary}@example.com`)).toEqual({ client: 1, lead: 1 });
  });

  it('erases the trace of the visit from stored responses, and keeps the responses for repeated requests', async () => {
    const lead = await givenLead(em());
    await given.database.pool.query(`update lead set trace_parent = '00-canarytrace-01' where id = $1`, [lead.id]);
    const account = await lead.account.loadOrFail();
    await given.database.pool.query(
      `insert into idempotency_record (account_id, route, key, fingerprint, answer)
       values ($1, 'client', 'k', '\\x00', '{"kind":"created","id":1,"traceParent":"00-canarytrace-01"}')`,
      [account.id],
    );
    await erase({ accountId: account.id, subject: { leadReference: lead.reference } });
    expect(await given.hits('canarytrace')).toEqual({});
    const { rows } = await given.database.pool.query('select answer from idempotency_record');
    expect(rows).toEqual([{ answer: { kind: 'created', id: 1 } }]);
  });

  it('adds an entry to the audit log with the number of the erasure', async () => {
    const email = `${unique('audited')}@example.com`;
    const client = await givenClient(em(), { email });
    const { id } = await erase({ accountId: client.account.id, subject: { email } });
    const { rows } = await given.database.pool.query(
      `select actor, action, target from audit_entry where account_id = $1 order by id`,
      [client.account.id],
    );
    expect(rows).toEqual([
      { actor: 'key 7', action: 'client.erase-asked', target: `erasure ${id}` },
      { actor: 'key 7', action: 'client.erase', target: `erasure ${id}` },
    ]);
  });
});
