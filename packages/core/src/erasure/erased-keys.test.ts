import { Account } from '@leadback/db';
import { newLeadProof, type PersonMarks, personHashes } from '@leadback/domain/keys';
import { givenAccount, givenClient, keysOfAccount, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenErasures, type GivenErasures } from '../../test/given-erasures.ts';

describe('what is kept of erased persons, to recognise them', async () => {
  const given = await shared(givenErasures());

  const em = () => given.database.em();
  const kept = async (accountId: number) => {
    const { rows } = await given.database.pool.query<{ hash: string }>(
      'select hash from erased_key where account_id = $1 order by hash',
      [accountId],
    );
    return rows.map(({ hash }) => hash);
  };
  const hashesOf = async (accountId: number, marks: PersonMarks) =>
    personHashes(keysOfAccount(await em().findOneOrFail(Account, accountId)), marks).toSorted();
  const erase = async (toAsk: Parameters<GivenErasures['ask']>[0]) => {
    await given.ask(toAsk);
    expect(await given.perform()).toMatchObject({ outcome: 'done' });
  };
  const { proof, hash } = newLeadProof();
  const askedByVisitor = (leadReference: string) =>
    ({ askedBy: 'visitor', actor: 'visitor', subject: { leadReference, proof } }) as const;
  const givenPerson = () =>
    givenClient(em(), {
      email: 'Ana@x.example',
      phoneNumber: '+54 11 5555-0001',
      externalReference: 'ana-1',
      lead: { email: 'ana@visit.example', phone: '+54 11 5555-0002', proofHash: Buffer.from(hash, 'hex') },
    });

  it('are keyed hashes of the registered emails and phone numbers and of the leads, and not of what a visitor typed', async () => {
    const lead = await (await givenPerson()).lead.loadOrFail();
    const accountId = lead.account.id;
    await erase({ accountId, subject: { externalReference: 'ana-1' } });
    const expected = await hashesOf(accountId, {
      emails: ['ana@x.example'],
      phoneNumbers: ['+54 11 5555-0001'],
      leadReferences: [lead.reference],
    });
    expect(await kept(accountId)).toEqual(expected);
    await erase({ accountId, subject: { email: 'ana@x.example' } });
    expect(await kept(accountId)).toEqual(expected);
  });

  it('are there for a person of whom nothing is stored yet, because a visit may still be buffered', async () => {
    const { id: accountId } = await givenAccount(em());
    await erase({ accountId, subject: { email: 'Nobody@x.example' } });
    await erase({ accountId, subject: { leadReference: 'A'.repeat(22) } });
    const marks = { emails: ['nobody@x.example'], leadReferences: ['A'.repeat(22)] };
    expect(await kept(accountId)).toEqual(await hashesOf(accountId, marks));
  });

  it('are those of leads alone if a visitor asked, whatever the advertiser had registered', async () => {
    const lead = await (await givenPerson()).lead.loadOrFail();
    const accountId = lead.account.id;
    await erase({ accountId, ...askedByVisitor(lead.reference) });
    expect(await kept(accountId)).toEqual(await hashesOf(accountId, { leadReferences: [lead.reference] }));
  });

  it('say who asked for the erasure, and which it was', async () => {
    const lead = await (await givenPerson()).lead.loadOrFail();
    const accountId = lead.account.id;
    const asked = async () => {
      const query = 'select distinct asked_by, erasure_id, allowed_at from erased_key where account_id = $1';
      return (await given.database.pool.query(query, [accountId])).rows;
    };
    const id = await given.ask({ accountId, subject: { externalReference: 'ana-1' } });
    await given.perform();
    const first = [{ asked_by: 'partner', erasure_id: id, allowed_at: null }];
    expect(await asked()).toEqual(first);
    // a visitor who asks for the same lead takes over nothing
    await erase({ accountId, ...askedByVisitor(lead.reference) });
    expect(await asked()).toEqual(first);
  });

  it('are nothing in a forgotten account, whose clients are erased all the same', async () => {
    const lead = await (await givenPerson()).lead.loadOrFail();
    const accountId = lead.account.id;
    await given.database.pool.query('update account set data_key = null where id = $1', [accountId]);
    await erase({ accountId, subject: { externalReference: 'ana-1' } });
    expect(await kept(accountId)).toEqual([]);
    const query = 'select contact, email_hash from client where account_id = $1';
    expect((await given.database.pool.query(query, [accountId])).rows).toEqual([{ contact: null, email_hash: null }]);
  });

  it('are nothing after the erasure of a test', async () => {
    const { id: accountId } = await givenAccount(em());
    await erase({ accountId, isTest: true, subject: { email: 'test@x.example' } });
    expect(await kept(accountId)).toEqual([]);
  });
});
