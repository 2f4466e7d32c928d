import { Conversion } from '@leadback/db';
import { givenDatabase, type TestDatabase } from '@leadback/testing';
import { expect, it } from 'vitest';
import { givenApi, type Reply, type TestApi } from './given-api.ts';
import { givenBatchPartner, order } from './given-batches.ts';

const waitingMax = 1_000;
// with two statements of 500
const acceptedMax = waitingMax + 1_000;
const readsWaitingMax = 200;

/** A pool whose registrations of conversions stop, as if PostgreSQL did, until it is open. */
const gatedPool = ({ pool }: TestDatabase) => {
  const gate = Promise.withResolvers<void>();
  const gated: typeof pool = new Proxy(pool, {
    get: (target, key) =>
      key === 'query'
        ? async (query: { name: string; text: string }) => {
            if (query.name === 'register-conversions') await gate.promise;
            return target.query(query);
          }
        : Reflect.get(target, key),
  });
  return { pool: gated, open: () => gate.resolve() };
};

/** Sends requests at the same time; `answered` has those with a response so far. */
const sending = (count: number, send: () => Promise<Reply>) => {
  const answered: Reply[] = [];
  const all = Promise.all(Array.from({ length: count }, async () => void answered.push(await send())));
  return { answered, all };
};

const expectRefused = (replies: readonly Reply[]) => {
  for (const { status, headers, body } of replies) {
    expect([status, headers.get('leadback-error'), headers.get('retry-after'), body]).toEqual([
      503,
      'overloaded',
      '5',
      { message: 'overloaded right now; try again later' },
    ]);
  }
};

const refusedTotal = async (api: TestApi) =>
  Number(/^leadback_overloaded_requests_total\{.*\} (\d+)$/m.exec(await api.metrics())?.[1]);

it('refuses registrations at once beyond those that may wait, and registers those, and all that come later', async () => {
  await using database = await givenDatabase();
  const gate = gatedPool(database);
  await using api = await givenApi({ database, intake: gate.pool });
  const { account, key } = await givenBatchPartner(api);
  const register = () => api.send('POST', '/api/v1/client/conversion', { key, body: order() });
  const count = acceptedMax + 400;
  const { answered, all } = sending(count, register);
  await expect.poll(() => answered.length).toBeGreaterThanOrEqual(count - acceptedMax);
  expectRefused(answered);
  // others are served meanwhile
  expect((await api.send('GET', '/api/v1/client/conversions', { key })).status).toBe(200);
  expect(await database.em().count(Conversion, { account })).toBe(0);

  gate.open();
  await all;
  const refused = answered.filter(({ status }) => status !== 201);
  expectRefused(refused);
  expect(await refusedTotal(api)).toBe(refused.length);
  const later = sending(waitingMax, register);
  await later.all;
  expect(new Set(later.answered.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await database.em().count(Conversion, { account })).toBe(count - refused.length + waitingMax);
});

it('refuses reads at once beyond those that may wait for a connection, and registers meanwhile', async () => {
  await using database = await givenDatabase();
  await using api = await givenApi({ database });
  const { key } = await givenBatchPartner(api);
  const { pool } = api;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const read = () => api.send('GET', '/api/v1/client/conversions', { key });
  const { answered, all } = sending(readsWaitingMax + 100, read);
  await expect.poll(() => answered.length).toBeGreaterThanOrEqual(100);
  expectRefused(answered);
  expect((await api.send('POST', '/api/v1/client/conversion', { key, body: order() })).status).toBe(201);

  for (const client of held) client.release();
  await all;
  const refused = answered.filter(({ status }) => status !== 200);
  expectRefused(refused);
  expect(await refusedTotal(api)).toBe(refused.length);
  expect((await read()).status).toBe(200);
});
