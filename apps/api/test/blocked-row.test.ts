import { givenClient, unique } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenApi, type TestApi } from './given-api.ts';
import { givenBatchPartner, order } from './given-batches.ts';

const requests = 50;

describe('a row that another session keeps locked', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await givenApi();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  it.each([
    { of: 'fifty requests', what: 'the one that needs it', blocked: 1, hasKey: false },
    { of: 'fifty requests with an Idempotency-Key', what: 'the one that needs it', blocked: 1, hasKey: true },
    { of: 'fifty requests', what: 'the three that need it', blocked: 3, hasKey: false },
  ])('fails, of $of at the same time, only $what', async ({ blocked, hasKey }) => {
    const { account, key } = await givenBatchPartner(api);
    const locked = await givenClient(api.database.em(), { account, externalReference: 'locked' });
    const register = (clientExternalReference: string) =>
      api.send('POST', '/api/v1/client/conversion', {
        key,
        headers: hasKey ? { 'idempotency-key': unique('key') } : {},
        body: order({ clientExternalReference }),
      });
    const holder = await api.database.pool.connect();
    await holder.query('begin');
    await holder.query('select from client where id = $1 for update', [locked.id]);
    const replies = await Promise.all(
      Array.from({ length: requests }, (_, index) => register(index < blocked ? 'locked' : 'C1')),
    );
    for (const { status, headers } of replies.slice(0, blocked))
      expect([status, headers.get('leadback-error'), headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    for (const { status, body } of replies.slice(blocked))
      expect([status, body]).toMatchObject([201, { id: expect.any(Number) }]);
    await holder.query('rollback');
    holder.release();
    expect((await register('locked')).status).toBe(201);
  });

  it('fails a conversion whose reference an open transaction holds, and registers it once that has ended', async () => {
    const { account, key } = await givenBatchPartner(api);
    const reference = unique('order');
    const client = await givenClient(api.database.em(), { account });
    const register = () =>
      api.send('POST', '/api/v1/client/conversion', { key, body: order({ conversionExternalReference: reference }) });
    const holder = await api.database.pool.connect();
    await holder.query('begin');
    await holder.query(
      `insert into conversion (account_id, client_id, amount, currency, external_reference, event_id)
       values ($1, $2, 1, 'USD', $3, $3)`,
      [account.id, client.id, reference],
    );
    expect((await register()).status).toBe(503);
    await holder.query('rollback');
    holder.release();
    expect((await register()).status).toBe(201);
  });
});
