import { type Account, openPool } from '@leadback/db';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { readReceiptKeys, receiptSchema, verifyReceipt } from '@leadback/core/erasure/ask/receipt';
import { givenAccount, givenApiKey, givenClient, secretsKeys, unique, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forErasures } from '../src/pools.ts';
import { erasures } from '../src/jobs/jobs.ts';
import { givenApi } from './given-api.ts';

const tools = erasureTools(secretsKeys, 30);

const idOf = ({ body }: { readonly body: unknown }) => z.object({ id: z.string() }).parse(body).id;

describe('POST /client/erasure', async () => {
  const api = await shared(givenApi());

  let key: string;
  let testKey: string;
  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(api.database.em());
    key = await givenApiKey(api.database.em(), { account });
    testKey = await givenApiKey(api.database.em(), { account, isTest: true });
  });

  const ask = (body: unknown, { by = key, headers = {} }: { by?: string; headers?: Record<string, string> } = {}) =>
    api.send('POST', '/api/v1/client/erasure', { key: by, body, headers });
  const read = (id: string, by = key) => api.send('GET', `/api/v1/client/erasure/${id}`, { key: by });
  const givenPerson = async (isTest = false) => {
    const name = unique('canary');
    const client = await givenClient(api.database.em(), {
      account,
      email: `${name}@example.com`,
      externalReference: name,
      isTest,
    });
    return { name, client };
  };
  const isErased = async (id: number) =>
    (await api.database.pool.query('select contact is null as erased from client where id = $1', [id])).rows[0]?.erased;

  it('erases a client within seconds, and returns a signed receipt that does not name it', async () => {
    const { name, client } = await givenPerson();
    const asked = await ask({ clientExternalReference: name });
    expect(asked).toMatchObject({ status: 202, body: { id: expect.stringMatching(/^[0-9A-Za-z]{22}$/) } });
    const pending = { state: 'pending', finishedAt: null, receipt: null, signature: null, keyId: null };
    expect(await read(idOf(asked))).toMatchObject({ status: 200, body: { id: idOf(asked), ...pending } });
    await using unhurried = await openPool({
      url: api.database.urlOf('api'),
      applicationName: 'test',
      hasNoStatementTimeout: true,
    });
    const events = { erasurePerformed: () => {}, erasuresNotPerformed: () => {} };
    await using _job = erasures(forErasures(unhurried.pool), tools, events);
    const body = async () => (await read(idOf(asked))).body;
    await expect.poll(body).toMatchObject({ state: 'done', finishedAt: expect.any(String) });
    const signed = z.object({ receipt: z.string(), signature: z.string(), keyId: z.string() }).parse(await body());
    expect(verifyReceipt(await readReceiptKeys(api.database.pool), signed)).toBe('genuine');
    expect(receiptSchema.parse(JSON.parse(signed.receipt))).toMatchObject({
      accountId: account.id,
      erased: { clients: 1 },
    });
    expect(signed.receipt).not.toContain(name);
    expect(await isErased(client.id)).toBe(true);
  });

  it('is in the audit log when a partner asks for it, once for each erasure', async () => {
    const { name } = await givenPerson();
    const id = idOf(await ask({ clientExternalReference: name }));
    expect(idOf(await ask({ clientExternalReference: name }))).toBe(id);
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
    const { name, client } = await givenPerson();
    const asked = await ask({ email: `${name}@example.com` }, { by: testKey });
    await performNextErasure(api.database.pool, tools);
    expect(await isErased(client.id)).toBe(false);
    expect((await read(idOf(asked), testKey)).body).toMatchObject({ state: 'done' });
    expect(await read(idOf(asked))).toMatchObject({ status: 404 });
  });

  it('asks once if it is repeated with the same Idempotency-Key', async () => {
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
    const message = 'email: expected exactly one of email, clientExternalReference and leadReference';
    for (const body of [{}, { email: 'a@b.c', clientExternalReference: 'x' }, { email: null }]) {
      expect([body, await ask(body)]).toEqual([body, expect.objectContaining({ status: 400, body: { message } })]);
    }
  });

  it('does not show erasures of another account', async () => {
    const asked = await ask({ email: 'ana@example.com' });
    const other = await givenApiKey(api.database.em(), { account: await givenAccount(api.database.em()) });
    const message = 'id: no erasure of this account has this id';
    expect(await read(idOf(asked), other)).toMatchObject({ status: 404, body: { message } });
  });
});
