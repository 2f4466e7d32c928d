import { Conversion, IdempotencyRecord } from '@leadback/db';
import { givenAccount, givenApiKey, givenClient, givenConnection, unique } from '@leadback/given';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenApi, type TestApi } from './given-api.ts';

describe('a request with an Idempotency-Key', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await givenApi();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  /** A partner with a client, and what it sends. */
  const givenPartner = async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const client = await givenClient(em, { account, externalReference: 'C1' });
    await givenConnection(em, { account });
    const key = await givenApiKey(em, { account });
    const post = (path: string, body: unknown, idempotencyKey: string, apiKey = key) =>
      api.send('POST', `/api/v1${path}`, { key: apiKey, body, headers: { 'idempotency-key': idempotencyKey } });
    const conversions = () => api.database.em().count(Conversion, { account });
    return { account, client, post, conversions };
  };
  const ten = { amount: 10, currency: 'USD', clientExternalReference: 'C1' };

  it('is done once, and answered the same however often it is sent', async () => {
    const { post, conversions } = await givenPartner();
    const key = unique('key');
    const before = api.published.length;
    const first = await post('/client/conversion', ten, key);
    const again = [
      await post('/client/conversion', { ...ten, unknown: 1 }, key),
      await post('/client/conversion', ten, `"${key}"`),
    ];
    expect(first.status).toBe(201);
    expect(again.map(({ status, body }) => [status, body])).toEqual([
      [201, first.body],
      [201, first.body],
    ]);
    expect(await conversions()).toBe(1);
    expect(api.published.length - before).toBe(1);
  });

  it('gets the first answer again as often as it is repeated at the same instant', async () => {
    const { post, conversions } = await givenPartner();
    const key = unique('key');
    const first = await post('/client/conversion', ten, key);
    const same = Array.from({ length: 100 }, () => post('/client/conversion', ten, key));
    const other = Array.from({ length: 100 }, () => post('/client/conversion', { ...ten, amount: 11 }, key));
    for (const { status, body } of await Promise.all(same)) expect([status, body]).toEqual([201, first.body]);
    for (const { status } of await Promise.all(other)) expect(status).toBe(422);
    expect(await conversions()).toBe(1);
  });

  it('gets the first answer again also where that was a refusal by the rules', async () => {
    const { account, post } = await givenPartner();
    const key = unique('key');
    const late = { ...ten, clientExternalReference: 'later' };
    expect((await post('/client/conversion', late, key)).status).toBe(404);
    await givenClient(api.database.em(), { account, externalReference: 'later' });
    expect((await post('/client/conversion', late, key)).status).toBe(404);
    expect((await post('/client/conversion', late, unique('key'))).status).toBe(201);
  });

  it('may be mended and sent again with the same key where its form was wrong', async () => {
    const { post } = await givenPartner();
    const key = unique('key');
    expect((await post('/client/conversion', { ...ten, amount: '10' }, key)).status).toBe(400);
    expect((await post('/client/conversion', ten, key)).status).toBe(201);
  });

  it('is answered 422 when the key was used for something else', async () => {
    const { post, conversions } = await givenPartner();
    const key = unique('key');
    await post('/client/conversion', ten, key);
    const { status, body } = await post('/client/conversion', { ...ten, amount: 11 }, key);
    expect([status, body]).toEqual([
      422,
      { message: 'idempotency-key: already used for another request; take a new key for every new request' },
    ]);
    expect(await conversions()).toBe(1);
  });

  it('is answered 409 while the first request with its key is under way, also on another instance', async () => {
    const { account, post, conversions } = await givenPartner();
    await using other = await givenApi({ database: api.database });
    const key = unique('key');
    // holds back whoever registers a conversion
    const holder = await api.database.pool.connect();
    await holder.query('begin; lock table conversion in access exclusive mode');
    const first = post('/client/conversion', ten, key);
    await expect
      .poll(async () => (await holder.query("select 1 from pg_locks where locktype = 'advisory'")).rowCount)
      .toBe(1);
    const apiKey = await givenApiKey(api.database.em(), { account });
    const onOther = await other.send('POST', '/api/v1/client/conversion', {
      key: apiKey,
      body: ten,
      headers: { 'idempotency-key': key },
    });
    const { status, body } = await post('/client/conversion', ten, key);
    await holder.query('rollback');
    holder.release();
    const message = 'idempotency-key: the first request with this key is still under way';
    expect([onOther.status, onOther.body, status, body]).toEqual([409, { message }, 409, { message }]);
    expect((await first).status).toBe(201);
    expect((await post('/client/conversion', ten, key)).body).toEqual((await first).body);
    expect(await conversions()).toBe(1);
  });

  it('is done once when it arrives a thousand times at the same instant', async () => {
    const { post, conversions } = await givenPartner();
    const key = unique('key');
    const replies = await Promise.all(Array.from({ length: 1000 }, () => post('/client/conversion', ten, key)));
    const statuses = new Set(replies.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
    const bodies = replies.filter(({ status }) => status === 201).map(({ body }) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(1);
    expect(await conversions()).toBe(1);
  });

  it('is apart from one of another account, of another route, and of a test key', async () => {
    const one = await givenPartner();
    const other = await givenPartner();
    const key = unique('key');
    expect((await one.post('/client/conversion', ten, key)).status).toBe(201);
    expect((await other.post('/client/conversion', ten, key)).status).toBe(201);
    const lead = await one.client.lead.loadOrFail();
    expect((await one.post('/client', { leadReference: lead.reference }, key)).status).toBe(201);
    const testKey = await givenApiKey(api.database.em(), { account: one.account, isTest: true });
    expect((await one.post('/client/conversion', ten, key, testKey)).status).toBe(422);
  });

  it('is a new one again after 24 hours', async () => {
    const { account, post, conversions } = await givenPartner();
    const key = unique('key');
    await post('/client/conversion', ten, key);
    const age = (hours: number) =>
      api.database
        .em()
        .nativeUpdate(IdempotencyRecord, { account, key }, { createdAt: new Date(Date.now() - hours * 3_600_000) });
    await age(23.9);
    await post('/client/conversion', ten, key);
    expect(await conversions()).toBe(1);
    await age(24.1);
    expect((await post('/client/conversion', { ...ten, amount: 11 }, key)).status).toBe(201);
    expect(await conversions()).toBe(2);
  });

  it('keeps apart what arrives together: keys, no keys, good and bad', async () => {
    const { post, conversions } = await givenPartner();
    const key = unique('key');
    const replies = await Promise.all([
      ...Array.from({ length: 20 }, (_, place) =>
        post('/client/conversion', { ...ten, amount: place }, `${key}-${place}`),
      ),
      ...Array.from({ length: 20 }, () =>
        post('/client/conversion', { ...ten, clientExternalReference: 'nobody' }, unique('key')),
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
  ])('is answered 400 when the key is %s', async (key, message) => {
    const { post } = await givenPartner();
    const { status, body } = await post('/client/conversion', ten, key);
    expect([status, body]).toEqual([400, { message }]);
  });

  it('may have a key of 255 characters', async () => {
    const { post } = await givenPartner();
    expect((await post('/client/conversion', ten, 'x'.repeat(255))).status).toBe(201);
  });
});
