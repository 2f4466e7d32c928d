import { type Database, openDatabase } from '@leadback/db';
import { accountScope } from '@leadback/core/people/access';
import { findRetry, startRetry, workOnNextRetry } from '@leadback/core/delivery/retry';
import { countUndelivered, readUndelivered, type UndeliveredFilter } from '@leadback/core/delivery/undelivered';
import {
  givenAccount,
  givenConnection,
  givenConversion,
  givenDatabase,
  givenDelivery,
  type TestDatabase,
} from '@leadback/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

// read of an account; shared by its two connections
const max = 4;

let whole: TestDatabase;
/** As the role of the console. */
let database: Database;
beforeAll(async () => {
  whole = await givenDatabase();
  database = await openDatabase({ url: whole.url, applicationName: 'test' });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await whole[Symbol.asyncDispose]();
});

const given = async () => {
  const em = database.em();
  const account = await givenAccount(em);
  const [large, small] = [await givenConnection(em, { account }), await givenConnection(em, { account })];
  const fail = async (connection: typeof large, amount: string, reason = 'HTTP 500') => {
    const conversion = await givenConversion(em, { account, amount, currency: 'USD' });
    await givenDelivery(em, { connection, conversion, state: 'failed', reason });
  };
  await fail(large, '1', 'HTTP 400');
  for (const amount of ['2', '4', '8', '16']) await fail(large, amount);
  await fail(small, '32');
  const found = await accountScope(database.pool, { id: 0, role: 'admin' }, account.id);
  if (!found) throw new Error('the account is missing');
  return { scope: found, large: large.id, small: small.id };
};

it('of a connection with too many undelivered deliveries, the newest are counted, and it is said that there are more', async () => {
  const { scope, large, small } = await given();
  expect(await readUndelivered(database.pool, scope, max)).toMatchObject([
    { connectionId: large, deliveries: 2, conversions: 2, money: [{ amount: '24.00' }], isPartial: true },
    { connectionId: small, deliveries: 1, conversions: 1, money: [{ amount: '32.00' }], isPartial: false },
  ]);
  const count = (filter: UndeliveredFilter) => countUndelivered(database.pool, scope, filter, max);
  expect(await count({})).toMatchObject({ deliveries: 3, money: [{ amount: '56.00' }], isPartial: true });
  expect(await count({ connectionId: small })).toMatchObject({ deliveries: 1, isPartial: false });
  expect(await count({ code: 'HTTP 400' })).toMatchObject({ deliveries: 0, isPartial: true });
  // all from a delivery on are among those that were read
  const { lastId } = await count({ connectionId: large });
  expect(await count({ connectionId: large, since: lastId })).toMatchObject({ deliveries: 1, isPartial: false });
});

it('a retry takes all of them, and its total is unknown', async () => {
  const { scope, large } = await given();
  const { pool } = database;
  const retry = { actor: 'ana', filter: { code: 'HTTP 500' }, undeliveredMax: max };
  const { id, total } = await startRetry(pool, scope, retry);
  expect(total).toBeNull();
  while (await workOnNextRetry(pool));
  expect(await findRetry(pool, scope, id)).toMatchObject({ state: 'done', done: 5 });
  const { rows } = await database.pool.query(
    `select state, count(*)::int from delivery where connection_id = $1 group by 1 order by 1`,
    [large],
  );
  expect(z.array(z.object({ state: z.string(), count: z.number() })).parse(rows)).toEqual([
    { state: 'failed', count: 1 },
    { state: 'pending', count: 4 },
  ]);
});
