import { accountScope } from '@leadback/core/people/access';
import { countUndelivered, readUndelivered, readWaiting } from '@leadback/core/delivery/undelivered';
import { givenAccount, givenConnection, givenConversion, givenDatabase, givenDelivery } from '@leadback/testing';
import { expect, it } from 'vitest';
import { givenParcel } from '../../test/parcels.ts';

it('counts money of every currency that conversions have in totals, not only of those that are known', async () => {
  await using database = await givenDatabase();
  const em = database.em();
  const account = await givenAccount(em);
  const connection = await givenConnection(em, { account });
  const { deliveryIds } = await givenParcel(database, { connection, size: 1 });
  const failed = await givenDelivery(em, {
    connection,
    conversion: await givenConversion(em, { account, amount: '7' }),
    state: 'failed',
    reason: 'HTTP 400: bad event',
  });
  await database.pool.query(
    `update conversion v set currency = 'EUR' from delivery f where f.conversion_id = v.id and f.id = any($1)`,
    [[failed.id, ...deliveryIds]],
  );
  const scope = await accountScope(database.pool, { id: 0, role: 'admin' }, account.id);
  if (!scope) throw new Error('the account is missing');
  const { rows } = await database.pool.query<{ amount: string }>(
    `select v.amount from conversion v join delivery f on f.conversion_id = v.id where f.id = $1`,
    [deliveryIds[0]],
  );
  const seven = { conversions: 1, money: [{ currency: 'EUR', amount: '7.00' }] };
  expect(await readUndelivered(database.pool, scope)).toMatchObject([seven]);
  expect(await countUndelivered(database.pool, scope, {})).toMatchObject(seven);
  expect(await readWaiting(database.pool, scope)).toMatchObject([
    { conversions: 1, money: [{ currency: 'EUR', amount: rows[0]?.amount }] },
  ]);
});
