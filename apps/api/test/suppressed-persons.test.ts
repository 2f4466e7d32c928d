import { Client, openPool } from '@leadback/db';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { askErasure } from '@leadback/core/erasure/ask/ask-erasure';
import { newLeadProof } from '@leadback/domain/keys';
import { givenAccount, givenApiKey, givenErased, givenLead, secretsKeys, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';

const refused =
  'email, phoneNumber: a person with one of them was erased, and this account does not register erased persons again; leave out both (erasure EEEEEEEEEEEEEEEEEEEEEE), or allow the person again with POST /client/allow';

describe('persons who were erased', async () => {
  const api = await shared(givenApi());

  const givenPartner = async ({ isTest = false, erased = 'suppress' } = {}) => {
    const em = api.database.em();
    const account = await givenAccount(em);
    await api.database.pool.query('update account set erased_persons = $2 where id = $1', [account.id, erased]);
    const { reference: leadReference } = await givenLead(em, { account });
    await givenErased(api.database, account, { emails: ['ana@x.example'], phoneNumbers: ['+54 9 11 2345-6789'] });
    const key = await givenApiKey(em, { account, isTest });
    const post = (path: string, body: unknown) => api.send('POST', `/api/v1/client${path}`, { key, body });
    return { account, post, register: (client: object) => post('', { leadReference, ...client }), leadReference };
  };

  it.each([
    { email: ' Ana@X.EXAMPLE' },
    { phoneNumber: '011 2345 6789' },
    { email: 'eva@x.example', phoneNumber: '+541123456789' },
  ])('are not registered again as %j where their account says so, and nothing is stored', async (client) => {
    const { account, register } = await givenPartner();
    const { status, headers, body } = await register({ ...client, externalReference: unique('client') });
    expect([status, headers.get('leadback-error'), body]).toEqual([400, 'suppressed', { message: refused }]);
    expect(await api.database.em().count(Client, { account })).toBe(0);
  });

  it('do not hinder others, clients without contact data, and clients who are registered already', async () => {
    const { register } = await givenPartner();
    const externalReference = unique('client');
    expect((await register({ externalReference, email: 'eva@x.example' })).status).toBe(201);
    expect((await register({ externalReference, email: 'ana@x.example' })).status).toBe(200);
    expect((await register({})).status).toBe(201);
  });

  it('are refused in a batch one by one', async () => {
    const { post, leadReference } = await givenPartner();
    const items = ['ana@x.example', 'eva@x.example'].map((email) => ({ leadReference, email }));
    const { body } = await post('/batch', { items });
    expect(body).toMatchObject({
      results: [
        { index: 0, outcome: 'refused', message: refused },
        { index: 1, outcome: 'created' },
      ],
    });
  });

  it.each([{ erased: 'allow' }, { isTest: true }])('are registered as before with %j', async (given) => {
    const { register } = await givenPartner(given);
    expect((await register({ email: 'ana@x.example' })).status).toBe(201);
  });

  const tools = erasureTools(secretsKeys, 30);
  const perform = async () => {
    await using unhurried = await openPool({ url: api.database.urlOf('api'), applicationName: 'test' });
    expect(await performNextErasure(unhurried.pool, tools)).toMatchObject({ outcome: 'done' });
  };

  it('are not those whose email and phone number a visitor has typed and had erased', async () => {
    const { account, register } = await givenPartner();
    const { proof, hash } = newLeadProof();
    const contact = { email: 'victim@x.example', phone: '+54 11 5555-0001' };
    const typed = await givenLead(api.database.em(), { account, ...contact, proofHash: Buffer.from(hash, 'hex') });
    const asked = { accountId: account.id, askedBy: 'visitor', actor: 'visitor' } as const;
    const subject = { leadReference: typed.reference, proof };
    await askErasure(api.database.pool, tools.keys, { ...asked, subject });
    await perform();
    expect((await register({ email: contact.email, phoneNumber: contact.phone })).status).toBe(201);
  });

  it('are those whom a partner had erased, until one call allows them again by any of their names', async () => {
    const { account, post, register } = await givenPartner();
    const person = { email: 'eva@x.example', phoneNumber: '+54 11 5555-0002' };
    expect((await register(person)).status).toBe(201);
    const { body } = await post('/erasure', { email: person.email });
    const { id } = z.object({ id: z.string() }).parse(body);
    await perform();
    for (const { body: refusal } of [await register(person), await register({ phoneNumber: person.phoneNumber })]) {
      expect(JSON.stringify(refusal)).toContain(`erasure ${id}`);
    }
    const foreign = await givenPartner();
    expect((await foreign.post('/allow', { erasureId: id })).body).toEqual({ erasureIds: [] });
    expect((await register(person)).status).toBe(400);
    expect((await post('/allow', { email: ' EVA@x.example' })).body).toEqual({ erasureIds: [id] });
    expect((await register(person)).status).toBe(201);
    // again, it changes nothing
    expect((await post('/allow', { erasureId: id })).body).toEqual({ erasureIds: [] });
    const { rows } = await api.database.pool.query(
      `select actor, target from audit_entry where account_id = $1 and action = 'client.allow'`,
      [account.id],
    );
    expect(rows).toEqual([{ actor: expect.stringMatching(/^key \d+$/), target: `erasure ${id}` }]);
  });

  it('are suppressed again when they are erased again', async () => {
    const { post, register } = await givenPartner();
    await post('/allow', { phoneNumber: '011 2345 6789' });
    expect((await register({ email: 'ana@x.example' })).status).toBe(201);
    await post('/erasure', { email: 'ana@x.example' });
    await perform();
    expect((await register({ email: 'ana@x.example' })).status).toBe(400);
  });

  it('are not allowed again by a test key, nor by several names at once', async () => {
    const { post, register } = await givenPartner();
    const test = await givenPartner({ isTest: true });
    expect((await test.post('/allow', { email: 'ana@x.example' })).body).toEqual({ erasureIds: [] });
    const several = { email: 'ana@x.example', phoneNumber: '011 2345 6789' };
    expect((await post('/allow', several)).status).toBe(400);
    expect((await register({ email: 'ana@x.example' })).status).toBe(400);
  });
});
