import { askErasure, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { readReceiptKeys, receiptSchema, verifyReceipt } from '@leadback/core/erasure/ask/receipt';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { Client } from '@leadback/db';
import { newLeadProof } from '@leadback/domain/keys';
import { repeat } from '@leadback/server/app';
import {
  type TestDatabase,
  givenAccount,
  givenApiKey,
  givenClient,
  givenErased,
  givenLead,
  secretsKeys,
  shared,
  unique,
  openPatientPool,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi, givenPartner } from './given-api.ts';

const tools = erasureTools(secretsKeys, 30);
const isErased = async ({ pool }: TestDatabase, id: number) =>
  (await pool.query('select contact is null as erased from client where id = $1', [id])).rows[0]?.erased;

const erasureIdOf = ({ body }: { readonly body: unknown }) => z.object({ id: z.string() }).parse(body).id;

describe('POST /client/erasure', async () => {
  const api = await shared(givenApi());

  const given = async () => {
    const { account, key, get, post } = await givenPartner(api);
    const testKey = await givenApiKey(api.database.em(), { account, isTest: true });
    const ask = (body: unknown, sending?: { key?: string; headers?: Record<string, string> }) =>
      post('/client/erasure', body, sending);
    const read = (id: string, sending?: { key: string }) => get(`/client/erasure/${id}`, sending);
    const name = unique('canary');
    const client = await givenClient(api.database.em(), {
      account,
      email: `${name}@example.com`,
      externalReference: name,
    });
    return { account, key, testKey, ask, read, name, client };
  };

  it('erases a client within seconds, and returns a signed receipt that does not name it', async () => {
    const { account, name, client, ask, read } = await given();
    const asked = await ask({ clientExternalReference: name });
    expect(asked).toMatchObject({ status: 202, body: { id: expect.stringMatching(/^[0-9A-Za-z]{22}$/) } });
    const pending = { state: 'pending', finishedAt: null, receipt: null, signature: null, keyId: null };
    expect(await read(erasureIdOf(asked))).toMatchObject({ status: 200, body: { id: erasureIdOf(asked), ...pending } });
    await using unhurried = await openPatientPool({
      url: api.database.urlOf('api'),
      applicationName: 'test',
      hasNoStatementTimeout: true,
    });
    await using _job = repeat({
      everyMs: 100,
      round: async () => (await performNextErasure(unhurried.pool, tools)) !== undefined,
      onFailure: () => {},
    });
    const body = async () => (await read(erasureIdOf(asked))).body;
    await expect.poll(body).toMatchObject({ state: 'done', finishedAt: expect.any(String) });
    const signed = z.object({ receipt: z.string(), signature: z.string(), keyId: z.string() }).parse(await body());
    expect(verifyReceipt(await readReceiptKeys(api.database.pool), signed)).toBe('genuine');
    expect(receiptSchema.parse(JSON.parse(signed.receipt))).toMatchObject({
      accountId: account.id,
      erased: { clients: 1 },
    });
    expect(signed.receipt).not.toContain(name);
    expect(await isErased(api.database, client.id)).toBe(true);
  });

  it('is in the audit log when a partner asks for it, once for each erasure', async () => {
    const { account, name, ask } = await given();
    const id = erasureIdOf(await ask({ clientExternalReference: name }));
    expect(erasureIdOf(await ask({ clientExternalReference: name }))).toBe(id);
    await performNextErasure(api.database.pool, tools);
    const { rows } = await api.database.pool.query(
      'select actor, action, target from audit_entry where account_id = $1 order by id',
      [account.id],
    );
    const actor = expect.stringMatching(/^key \d+$/);
    const target = `erasure ${id}`;
    expect(rows).toEqual([
      { actor, action: 'client.erase-asked', target },
      { actor, action: 'client.erase', target },
    ]);
  });

  it('erases test clients alone with a test key, whose erasures a live key does not see', async () => {
    const { name, client, testKey, ask, read } = await given();
    const asked = await ask({ email: `${name}@example.com` }, { key: testKey });
    await performNextErasure(api.database.pool, tools);
    expect(await isErased(api.database, client.id)).toBe(false);
    expect((await read(erasureIdOf(asked), { key: testKey })).body).toMatchObject({ state: 'done' });
    expect(await read(erasureIdOf(asked))).toMatchObject({ status: 404 });
  });

  it('asks once if it is repeated with the same Idempotency-Key', async () => {
    const { account, ask } = await given();
    const headers = { 'idempotency-key': unique('key') };
    const first = await ask({ email: 'ana@example.com' }, { headers });
    expect(await ask({ email: 'ana@example.com' }, { headers })).toMatchObject({ status: 202, body: first.body });
    expect(await ask({ email: 'eva@example.com' }, { headers })).toMatchObject({ status: 422 });
    const { rows } = await api.database.pool.query('select count(*)::int from erasure where account_id = $1', [
      account.id,
    ]);
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('refuses to guess: it takes exactly one name', async () => {
    const { ask } = await given();
    const message = 'email: expected exactly one of email, clientExternalReference and leadReference';
    for (const body of [{}, { email: 'a@b.c', clientExternalReference: 'x' }, { email: null }]) {
      expect([body, await ask(body)]).toEqual([body, expect.objectContaining({ status: 400, body: { message } })]);
    }
  });

  it('does not show erasures of another account', async () => {
    const { ask } = await given();
    const asked = await ask({ email: 'ana@example.com' });
    const { read } = await given();
    const message = 'id: no erasure of this account has this id';
    expect(await read(erasureIdOf(asked))).toMatchObject({ status: 404, body: { message } });
  });
});

describe('an erasure that a visitor asked for without proof', async () => {
  const api = await shared(givenApi());

  const givenAsked = async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const name = unique('canary');
    const client = await givenClient(em, { account, email: `${name}@example.com`, externalReference: name });
    const { reference: leadReference } = await client.lead.loadOrFail();
    const id = await askErasure(api.database.pool, erasureKeys(secretsKeys), {
      accountId: account.id,
      askedBy: 'visitor',
      actor: 'visitor',
      subject: { leadReference },
    });
    await performNextErasure(api.database.pool, tools);
    const keys = [
      await givenApiKey(em, { account }),
      await givenApiKey(em, { account, isTest: true }),
      await givenApiKey(em, { account: await givenAccount(em) }),
    ];
    return { id, leadReference, clientId: client.id, name, keys };
  };
  const list = (key = '') => api.send('GET', '/api/v1/client/erasure', { key });
  const confirm = (id: string, key = '') => api.send('POST', `/api/v1/client/erasure/${id}/confirmation`, { key });
  const read = (id: string, key = '') => api.send('GET', `/api/v1/client/erasure/${id}`, { key });
  it('is shown to the account, and sales of its client are registered as before', async () => {
    const { id, leadReference, name, keys } = await givenAsked();
    const [key, test, foreign] = keys;
    expect(await list(key)).toMatchObject({
      status: 200,
      body: { items: [{ id, leadReference, way: 'reference', until: expect.any(String) }] },
    });
    for (const other of [test, foreign]) expect(await list(other)).toMatchObject({ status: 200, body: { items: [] } });
    expect((await read(id, key)).body).toMatchObject({ id, state: 'asked', receipt: null });
    const sale = { amount: 5000, currency: 'USD', clientExternalReference: name };
    expect(await api.send('POST', '/api/v1/client/conversion', { key: key ?? '', body: sale })).toMatchObject({
      status: 201,
    });
  });

  it('is performed when the account confirms it, by one call, and not by others', async () => {
    const { id, clientId, keys } = await givenAsked();
    const [key, test, foreign] = keys;
    for (const other of [test, foreign]) expect(await confirm(id, other)).toMatchObject({ status: 404 });
    expect(await performNextErasure(api.database.pool, tools)).toBeUndefined();
    expect(await isErased(api.database, clientId)).toBe(false);
    for (let count = 0; count < 2; count += 1) {
      expect(await confirm(id, key)).toMatchObject({ status: 202, body: { id } });
    }
    expect(await performNextErasure(api.database.pool, tools)).toMatchObject({ id, outcome: 'done' });
    expect(await isErased(api.database, clientId)).toBe(true);
    expect((await read(id, key)).body).toMatchObject({ state: 'done', receipt: expect.any(String) });
    expect(await list(key)).toMatchObject({ body: { items: [] } });
  });

  it('is not what the account itself asks for: that needs no confirmation', async () => {
    const { keys } = await givenAsked();
    const [key = ''] = keys;
    const asked = await api.send('POST', '/api/v1/client/erasure', { key, body: { email: 'eva@example.com' } });
    expect(asked.status).toBe(202);
    const { id } = z.object({ id: z.string() }).parse(asked.body);
    expect(await confirm(id, key)).toMatchObject({ status: 404 });
  });
});

const suppressed =
  'email, phoneNumber: a person with one of them was erased, and this account does not register erased persons again; leave out both (erasure EEEEEEEEEEEEEEEEEEEEEE), or allow the person again with POST /client/allow';

describe('persons who were erased', async () => {
  const api = await shared(givenApi());

  const given = async ({ isTest = false, erased = 'suppress' } = {}) => {
    const partner = await givenPartner(api, { isTest });
    const { account } = partner;
    await api.database.pool.query('update account set erased_persons = $2 where id = $1', [account.id, erased]);
    await givenErased(api.database, account, { emails: ['ana@x.example'], phoneNumbers: ['+54 9 11 2345-6789'] });
    const post = (path: string, body: unknown) => partner.post(`/client${path}`, body);
    return { ...partner, post };
  };

  it.each([
    { email: ' Ana@X.EXAMPLE' },
    { phoneNumber: '011 2345 6789' },
    { email: 'eva@x.example', phoneNumber: '+541123456789' },
  ])('are not registered again as %j where their account says so, and nothing is stored', async (client) => {
    const { account, register } = await given();
    const { status, headers, body } = await register({ ...client, externalReference: unique('client') });
    expect([status, headers.get('leadback-error'), body]).toEqual([400, 'suppressed', { message: suppressed }]);
    expect(await api.database.em().count(Client, { account })).toBe(1);
  });

  it('do not hinder others, clients without contact data, and clients who are registered already', async () => {
    const { register } = await given();
    const externalReference = unique('client');
    expect((await register({ externalReference, email: 'eva@x.example' })).status).toBe(201);
    expect((await register({ externalReference, email: 'ana@x.example' })).status).toBe(200);
    expect((await register({})).status).toBe(201);
  });

  it('are refused in a batch one by one', async () => {
    const { post, leadReference } = await given();
    const items = ['ana@x.example', 'eva@x.example'].map((email) => ({ leadReference, email }));
    const { body } = await post('/batch', { items });
    expect(body).toMatchObject({
      results: [
        { index: 0, outcome: 'refused', message: suppressed },
        { index: 1, outcome: 'created' },
      ],
    });
  });

  it.each([{ erased: 'allow' }, { isTest: true }])('are registered as before with %j', async (options) => {
    const { register } = await given(options);
    expect((await register({ email: 'ana@x.example' })).status).toBe(201);
  });

  const perform = async () => {
    await using unhurried = await openPatientPool({ url: api.database.urlOf('api'), applicationName: 'test' });
    expect(await performNextErasure(unhurried.pool, tools)).toMatchObject({ outcome: 'done' });
  };

  it('are not those whose email and phone number a visitor has typed and had erased', async () => {
    const { account, register } = await given();
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
    const { account, post, register } = await given();
    const person = { email: 'eva@x.example', phoneNumber: '+54 11 5555-0002' };
    expect((await register(person)).status).toBe(201);
    const { body } = await post('/erasure', { email: person.email });
    const { id } = z.object({ id: z.string() }).parse(body);
    await perform();
    for (const { body: refusal } of [await register(person), await register({ phoneNumber: person.phoneNumber })]) {
      expect(JSON.stringify(refusal)).toContain(`erasure ${id}`);
    }
    const foreign = await given();
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
    const { post, register } = await given();
    await post('/allow', { phoneNumber: '011 2345 6789' });
    expect((await register({ email: 'ana@x.example' })).status).toBe(201);
    await post('/erasure', { email: 'ana@x.example' });
    await perform();
    expect((await register({ email: 'ana@x.example' })).status).toBe(400);
  });

  it('are not allowed again by a test key, nor by several names at once', async () => {
    const { post, register } = await given();
    const test = await given({ isTest: true });
    expect((await test.post('/allow', { email: 'ana@x.example' })).body).toEqual({ erasureIds: [] });
    const several = { email: 'ana@x.example', phoneNumber: '011 2345 6789' };
    expect((await post('/allow', several)).status).toBe(400);
    expect((await register({ email: 'ana@x.example' })).status).toBe(400);
  });
});
