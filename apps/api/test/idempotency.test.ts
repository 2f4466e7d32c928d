import { Conversion, IdempotencyRecord } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { givenApiKey, givenClient, givenLead, secretsKeys, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi, givenPartner, order, sale } from './given-api.ts';

// an instance has at most 10,000 connections: `CONCURRENT_REQUESTS=8000 pnpm exec vitest run apps/api/test/idempotency.test.ts`
const concurrentCount = Number(process.env['CONCURRENT_REQUESTS'] ?? 1_000);

/** Sends again what has not reached the api, as a process that opens thousands of connections at once gets none in time. */
const connected = async <Result>(send: () => Promise<Result>): Promise<Result> => {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Error && Object(error.cause).code === 'UND_ERR_CONNECT_TIMEOUT')) throw error;
    }
  }
};

describe('a request with an Idempotency-Key', async () => {
  const api = await shared(givenApi());

  const given = async () => {
    const partner = await givenPartner(api, { platforms: ['meta'] });
    const post = (path: string, body: unknown, idempotencyKey: string, key = partner.key) =>
      partner.post(path, body, { key, headers: { 'idempotency-key': idempotencyKey } });
    const conversions = () => api.database.em().count(Conversion, { account: partner.account });
    return { ...partner, post, conversions };
  };

  it('executes a request with an Idempotency-Key once and repeats its response', async () => {
    const { post, conversions } = await given();
    const key = unique('key');
    const before = api.announced.length;
    const first = await post('/client/conversion', sale, key);
    const again = [
      await post('/client/conversion', { ...sale, unknown: 1 }, key),
      await post('/client/conversion', sale, `"${key}"`),
    ];
    expect(first.status).toBe(201);
    expect(again.map(({ status, body }) => [status, body])).toEqual([
      [201, first.body],
      [201, first.body],
    ]);
    expect(await conversions()).toBe(1);
    expect(api.announced.length - before).toBe(1);
  });

  it('repeats the first response to concurrent retries', async () => {
    const { post, conversions } = await given();
    const key = unique('key');
    const first = await post('/client/conversion', sale, key);
    const same = Array.from({ length: 100 }, () => post('/client/conversion', sale, key));
    const other = Array.from({ length: 100 }, () => post('/client/conversion', { ...sale, amount: 11 }, key));
    for (const { status, body } of await Promise.all(same)) expect([status, body]).toEqual([201, first.body]);
    for (const { status } of await Promise.all(other)) expect(status).toBe(422);
    expect(await conversions()).toBe(1);
  });

  it('repeats a first response of 400 by the rules of the endpoint', async () => {
    const { post } = await given();
    const key = unique('key');
    const one = order();
    expect((await post('/client/conversion', one, unique('key'))).status).toBe(201);
    const first = await post('/client/conversion', one, key);
    const again = await post('/client/conversion', one, key);
    expect([first.status, again.status, again.body]).toEqual([400, 400, first.body]);
    const firstId = first.headers.get('leadback-conversion-id');
    expect([firstId, again.headers.get('leadback-conversion-id')]).toEqual([expect.stringMatching(/^\d+$/), firstId]);
  });

  it('registers a conversion under the key of an earlier 404 once its client is registered', async () => {
    const { account, post } = await given();
    const key = unique('key');
    const late = { ...sale, clientExternalReference: 'later' };
    expect((await post('/client/conversion', late, key)).status).toBe(404);
    await givenClient(api.database.em(), { account, externalReference: 'later' });
    const registered = await post('/client/conversion', late, key);
    const again = await post('/client/conversion', late, key);
    expect([registered.status, again.status, again.body]).toEqual([201, 201, registered.body]);
  });

  it('registers a client under the key of an earlier 404 once its lead is there', async () => {
    const { account, post } = await given();
    const key = unique('key');
    const reference = issueLeadReference(leadReferenceKeys(secretsKeys));
    expect((await post('/client', { leadReference: reference }, key)).status).toBe(404);
    await givenLead(api.database.em(), { account, reference });
    expect((await post('/client', { leadReference: reference }, key)).status).toBe(201);
  });

  it('accepts a corrected request with the same Idempotency-Key after an invalid one', async () => {
    const { post } = await given();
    const key = unique('key');
    expect((await post('/client/conversion', { ...sale, amount: '10' }, key)).status).toBe(400);
    expect((await post('/client/conversion', sale, key)).status).toBe(201);
  });

  it('answers 422 to an Idempotency-Key of another request', async () => {
    const { post, conversions } = await given();
    const key = unique('key');
    await post('/client/conversion', sale, key);
    const { status, body } = await post('/client/conversion', { ...sale, amount: 11 }, key);
    expect([status, body]).toEqual([
      422,
      { message: 'idempotency-key: already used for another request; use a new key for each new request' },
    ]);
    expect(await conversions()).toBe(1);
  });

  it('answers 409 while the first request with the Idempotency-Key is in progress, on any instance', async () => {
    const { account, post, conversions } = await given();
    await using other = await givenApi({ database: api.database });
    const key = unique('key');
    // blocks registrations of conversions
    const holder = await api.database.pool.connect();
    await holder.query('begin; lock table conversion in access exclusive mode');
    const first = post('/client/conversion', sale, key);
    await expect
      .poll(async () => {
        const ofThisDatabase = 'database = (select oid from pg_database where datname = current_database())';
        const locks = await holder.query(`select 1 from pg_locks where locktype = 'advisory' and ${ofThisDatabase}`);
        return locks.rowCount;
      })
      .toBe(1);
    const apiKey = await givenApiKey(api.database.em(), { account });
    const onOther = await other.send('POST', '/api/v1/client/conversion', {
      key: apiKey,
      body: sale,
      headers: { 'idempotency-key': key },
    });
    const { status, body } = await post('/client/conversion', sale, key);
    await holder.query('rollback');
    holder.release();
    const message = 'idempotency-key: the first request with this key is still in progress; try again in a moment';
    expect([onOther.status, onOther.body, status, body]).toEqual([409, { message }, 409, { message }]);
    expect((await first).status).toBe(201);
    expect((await post('/client/conversion', sale, key)).body).toEqual((await first).body);
    expect(await conversions()).toBe(1);
  });

  it('executes one of many concurrent requests with the same Idempotency-Key', async () => {
    const { post, conversions } = await given();
    const key = unique('key');
    const replies = await Promise.all(
      Array.from({ length: concurrentCount }, () => connected(() => post('/client/conversion', sale, key))),
    );
    const statuses = new Set(replies.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
    const bodies = replies.filter(({ status }) => status === 201).map(({ body }) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(1);
    expect(await conversions()).toBe(1);
  });

  it('separates Idempotency-Keys of different accounts, routes and modes', async () => {
    const one = await given();
    const other = await given();
    const key = unique('key');
    expect((await one.post('/client/conversion', sale, key)).status).toBe(201);
    expect((await other.post('/client/conversion', sale, key)).status).toBe(201);
    const sameLead = { leadReference: one.leadReference };
    expect((await one.post('/client', sameLead, key)).status).toBe(201);
    const { key: testKey, client } = await givenPartner(api, { account: one.account, isTest: true });
    const test = await one.post('/client/conversion', sale, key, testKey);
    expect([test.status, test.body]).toMatchObject([201, { id: expect.any(Number), leadId: client.lead.id }]);
    const [live, asTest] = [
      await one.post('/client', sameLead, key),
      await one.post('/client', sameLead, key, testKey),
    ];
    expect([live.status, asTest.status]).toEqual([201, 201]);
    expect(asTest.body).not.toEqual(live.body);
  });

  it('accepts a reused Idempotency-Key after 24 hours', async () => {
    const { account, post, conversions } = await given();
    const key = unique('key');
    await post('/client/conversion', sale, key);
    const age = (hours: number) =>
      api.database
        .em()
        .nativeUpdate(IdempotencyRecord, { account, key }, { createdAt: new Date(Date.now() - hours * 3_600_000) });
    await age(23.9);
    await post('/client/conversion', sale, key);
    expect(await conversions()).toBe(1);
    await age(24.1);
    expect((await post('/client/conversion', { ...sale, amount: 11 }, key)).status).toBe(201);
    expect(await conversions()).toBe(2);
  });

  it('gives concurrent requests with different Idempotency-Keys their own responses', async () => {
    const { post, conversions } = await given();
    const key = unique('key');
    const replies = await Promise.all([
      ...Array.from({ length: 20 }, (_, index) =>
        post('/client/conversion', { ...sale, amount: index }, `${key}-${index}`),
      ),
      ...Array.from({ length: 20 }, () =>
        post('/client/conversion', { ...sale, clientExternalReference: 'nobody' }, unique('key')),
      ),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([
      ...Array<number>(20).fill(201),
      ...Array<number>(20).fill(404),
    ]);
    expect(await conversions()).toBe(20);
  });

  it.each([
    ['""', 'idempotency-key: must not be empty'],
    ['x'.repeat(256), 'idempotency-key: longer than 255 characters'],
    ['caf\u00e9', 'idempotency-key: expected visible ASCII characters'],
  ])('answers 400 to the Idempotency-Key %s', async (key, message) => {
    const { post } = await given();
    const { status, body } = await post('/client/conversion', sale, key);
    expect([status, body]).toEqual([400, { message }]);
  });

  it('accepts an Idempotency-Key of 255 characters', async () => {
    const { post } = await given();
    expect((await post('/client/conversion', sale, 'x'.repeat(255))).status).toBe(201);
  });
});
