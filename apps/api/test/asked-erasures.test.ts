import { performNextErasure, erasureTools } from '@leadback/core/erasure/perform-erasure';
import { askErasure, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { givenAccount, givenApiKey, givenClient, secretsKeys, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';

const tools = erasureTools(secretsKeys, 30);

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
  const isErased = async (id: number) =>
    (await api.database.pool.query('select contact is null as erased from client where id = $1', [id])).rows[0]?.erased;

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
    expect(await isErased(clientId)).toBe(false);
    for (let count = 0; count < 2; count += 1) {
      expect(await confirm(id, key)).toMatchObject({ status: 202, body: { id } });
    }
    expect(await performNextErasure(api.database.pool, tools)).toMatchObject({ id, outcome: 'done' });
    expect(await isErased(clientId)).toBe(true);
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
