import {
  type ErasureSubject,
  askErasure,
  decryptSubject,
  encryptSubject,
  erasureKeys,
  confirmErasure,
  lapseAskedErasures,
  listAskedErasures,
  reEncryptAskedErasures,
} from './ask/ask-erasure.ts';
import { readErasure } from '@leadback/core/erasure/ask/receipt';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { type Lead } from '@leadback/db';
import { newLeadProof } from '@leadback/domain/keys';
import {
  everyRow,
  givenAccount,
  givenClient,
  givenDatabase,
  givenLead,
  secretsKeys,
  shared,
  unique,
  openPatientPool,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenErasures } from '../../test/given-erasures.ts';

const keys = erasureKeys(secretsKeys);

describe('an erasure that a visitor asks for', async () => {
  const given = await shared(givenErasures());
  const em = () => given.database.em();

  /** A lead that a browser can prove, with clients. */
  const givenLeft = async (clients: number) => {
    const { proof, hash } = newLeadProof();
    const name = unique('canary');
    const lead = await givenLead(em(), { name, email: `${name}@example.com`, proofHash: Buffer.from(hash, 'hex') });
    const account = await lead.account.loadOrFail();
    for (let number = 0; number < clients; number += 1) await givenClientOf(lead, `${name}-${number}`);
    return { lead, proof, name, accountId: account.id, leadReference: lead.reference };
  };
  const givenClientOf = async (lead: Lead, name: string) => {
    await givenClient(em(), { lead, name, email: `${name}@example.com`, externalReference: name });
  };
  const ask = (accountId: number, subject: ErasureSubject) =>
    given.ask({ accountId, askedBy: 'visitor', actor: 'visitor', subject, network: 'hashedNetwork' });
  const waiting = (accountId: number) => listAskedErasures(given.api, keys, accountId, 10);
  const entriesOf = async (id: string) =>
    (
      await given.database.pool.query<{ actor: string; details: Record<string, unknown> }>(
        `select actor, details from audit_entry where target = 'erasure ' || $1`,
        [id],
      )
    ).rows;

  it('erases the lead and its only client if the browser proves to have left the lead, and says so in the audit log', async () => {
    const { accountId, leadReference, proof, name } = await givenLeft(1);
    const id = await ask(accountId, { leadReference, proof });
    expect(await given.perform()).toMatchObject({ id, outcome: 'done', isAnyoneErased: true });
    expect(await given.hits(name)).toEqual({});
    expect(await given.receiptOf(id)).toMatchObject({ askedBy: 'visitor', erased: { clients: 1, leads: 1 } });
    expect(await entriesOf(id)).toEqual([
      { actor: 'visitor', details: expect.objectContaining({ way: 'cookie', network: 'hashedNetwork' }) },
    ]);
    expect(await waiting(accountId)).toEqual([]);
  });

  it.each([
    ['no proof', () => undefined],
    ['a proof of another lead', () => newLeadProof().proof],
    ['the stored hash of the proof', ({ proofHash }: Lead) => Buffer.from(proofHash ?? '').toString('hex')],
  ])('erases nothing with %s, and waits for the account', async (_, proofOf) => {
    const { accountId, lead, leadReference, name } = await givenLeft(1);
    const before = await given.hits(name);
    const id = await ask(accountId, { leadReference, proof: proofOf(lead) });
    expect(await given.perform()).toMatchObject({ id, outcome: 'asked' });
    expect(await given.perform()).toBeUndefined();
    expect(await given.hits(name)).toEqual(before);
    expect(await readErasure(given.api, id)).toMatchObject({ state: 'asked', receipt: null });
    expect(await waiting(accountId)).toMatchObject([{ id, leadReference, way: 'reference' }]);
    expect(await waiting((await givenAccount(em())).id)).toEqual([]);
  });

  it('erases the lead alone if several clients came from it, and waits for the account to decide on them', async () => {
    const { accountId, leadReference, proof, name } = await givenLeft(2);
    const id = await ask(accountId, { leadReference, proof });
    expect(await given.perform()).toMatchObject({ id, outcome: 'done' });
    expect(await given.hits(name)).toEqual({ client: 2 });
    const { erased, kept } = await given.receiptOf(id);
    expect(erased).toMatchObject({ clients: 0, leads: 1 });
    expect(kept.map(({ what }) => what)).toContain('clients');
    const [rest, ...others] = await waiting(accountId);
    expect([rest, others]).toEqual([expect.objectContaining({ leadReference, way: 'cookie' }), []]);
    const { rows } = await given.database.pool.query<{ days: number }>(
      'select round(extract(epoch from due_at - now()) / 86400)::int as days from erasure where id = $1',
      [rest?.id],
    );
    expect(rows).toEqual([{ days: 30 }]);
  });

  it('is performed once the account has confirmed it, in the name of who did, and only for its own account', async () => {
    const { accountId, leadReference, name } = await givenLeft(2);
    const id = await ask(accountId, { leadReference });
    await given.perform();
    const by = { by: 'partner', actor: 'key 5' } as const;
    const { id: foreign } = await givenAccount(em());
    expect(await confirmErasure(given.api, { accountId: foreign, id, ...by })).toBe(false);
    expect(await given.perform()).toBeUndefined();
    expect(await confirmErasure(given.api, { accountId, id, ...by })).toBe(true);
    expect(await confirmErasure(given.api, { accountId, id, ...by })).toBe(true);
    expect(await given.perform()).toMatchObject({ id, outcome: 'done' });
    expect(await given.hits(name)).toEqual({});
    expect(await given.receiptOf(id)).toMatchObject({ askedBy: 'visitor', erased: { clients: 2, leads: 1 } });
    expect(await entriesOf(id)).toEqual([
      { actor: 'key 5', details: expect.objectContaining({ askedBy: 'visitor', way: 'reference' }) },
    ]);
  });

  it('is shown and confirmed also after a rotation of SECRETS_KEY, which encrypts it again', async () => {
    const { accountId, leadReference, name } = await givenLeft(1);
    const id = await ask(accountId, { leadReference });
    await given.perform();
    const next = Buffer.alloc(32, 9);
    expect(await listAskedErasures(given.api, erasureKeys([next]), accountId, 10)).toEqual([]);
    expect(await reEncryptAskedErasures(given.database.pool, erasureKeys([next, ...secretsKeys]))).toBeGreaterThan(0);
    expect(await listAskedErasures(given.api, erasureKeys([next]), accountId, 10)).toMatchObject([{ leadReference }]);
    await confirmErasure(given.api, { accountId, id, by: 'console', actor: 'ana@example.com' });
    expect(await performNextErasure(given.api, erasureTools([next, ...secretsKeys], 30))).toMatchObject({ id });
    expect(await given.hits(name)).toEqual({});
    await reEncryptAskedErasures(given.database.pool, erasureKeys([secretsKeys[0], next]));
  });

  it('lapses after 30 days, and nobody can tell any more whom it was about', async () => {
    const { accountId, leadReference, name } = await givenLeft(1);
    const before = await given.hits(name);
    const id = await ask(accountId, { leadReference });
    await given.perform();
    expect(await lapseAskedErasures(given.api)).toBe(0);
    await given.database.pool.query('update erasure set due_at = now() where id = $1', [id]);
    expect(await waiting(accountId)).toEqual([]);
    expect(await confirmErasure(given.api, { accountId, id, by: 'console', actor: 'ana@example.com' })).toBe(false);
    expect(await lapseAskedErasures(given.api)).toBe(1);
    expect(await readErasure(given.api, id)).toMatchObject({ state: 'lapsed', finishedAt: expect.any(Date) });
    const { rows } = await given.database.pool.query('select subject from erasure where id = $1', [id]);
    expect(rows).toEqual([{ subject: null }]);
    expect(await given.hits(name)).toEqual(before);
  });

  it.each([['email'], ['externalReference']] as const)(
    'erases nobody whom a landing app that was taken over names by %s',
    async (field) => {
      const { accountId, leadReference, name } = await givenLeft(1);
      const before = await given.hits(name);
      const id = await ask(accountId, { leadReference });
      const forged = { email: `${name}@example.com`, externalReference: `${name}-0` }[field];
      await given.database.pool.query('update erasure set subject = $2 where id = $1', [
        id,
        encryptSubject(keys, accountId, { [field]: forged }),
      ]);
      expect(await performNextErasure(given.api, given.tools)).toMatchObject({ id, outcome: 'retry' });
      expect(await given.hits(name)).toEqual(before);
    },
  );

  it('of a lead that is not recorded yet is kept for when it is', async () => {
    const { id: accountId } = await givenAccount(em());
    const id = await ask(accountId, { leadReference: 'L'.repeat(22), proof: newLeadProof().proof });
    expect(await given.perform()).toMatchObject({ id, outcome: 'done', isAnyoneErased: false });
    expect((await everyRow(given.database)).get('erased_key')?.join()).toContain(String(accountId));
  });
});

describe('an erasure that is asked for', () => {
  it('keeps the person encrypted, and landing asks for it without reading whom others ask for', async () => {
    await using database = await givenDatabase();
    await using landing = await openPatientPool({ url: database.urlOf('landing'), applicationName: 'test' });
    const id = await askErasure(landing.pool, keys, {
      accountId: 7,
      askedBy: 'visitor',
      actor: 'visitor',
      subject: { leadReference: 'canaryReference' },
    });
    expect(id).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(await readErasure(landing.pool, id)).toEqual({
      id,
      accountId: 7,
      askedBy: 'visitor',
      isTest: false,
      state: 'pending',
      requestedAt: expect.any(Date),
      finishedAt: null,
      receipt: null,
      signature: null,
      keyId: null,
    });
    expect(await readErasure(landing.pool, 'another')).toBeUndefined();
    for (const rows of (await everyRow(database)).values()) expect(rows.join()).not.toContain('canaryReference');
    await expect(landing.pool.query('select subject from erasure')).rejects.toThrow('permission denied');
    const { rows } = await database.pool.query<{ subject: Buffer }>('select subject from erasure');
    expect(decryptSubject(keys, 7, rows[0]?.subject ?? Buffer.alloc(0))).toEqual({ leadReference: 'canaryReference' });
    expect(() => decryptSubject(keys, 8, rows[0]?.subject ?? Buffer.alloc(0))).toThrow('unable to authenticate');
  });
});
