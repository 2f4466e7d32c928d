import { openPool } from '@leadback/db';
import { expect, it } from 'vitest';
import { givenOperator } from './given-operator.ts';

it('gives no id again if a command is the first to connect after a promotion', async () => {
  await using operator = await givenOperator();
  const before = await operator.givenAccountId();
  await using owner = await openPool({ url: operator.database.ownerUrl, applicationName: 'test' });
  await owner.pool.query(`update installation set server = '1234567890123456789/7'`);
  expect(await operator.givenAccountId()).toBeGreaterThan(before + 99_000_000);
});

it('reads a standby, which an app refuses', async () => {
  await using operator = await givenOperator();
  const id = await operator.givenAccountId();
  const { ownerUrl, url } = operator.database;
  await using owner = await openPool({ url: ownerUrl, applicationName: 'test' });
  await owner.pool.query(`create or replace function follow_promotion() returns boolean language sql return false`);
  await using app = await openPool({ url, applicationName: 'test', followsPromotions: true });
  await expect(app.answers()).rejects.toMatchObject({ code: '25006' });
  expect(await operator.json('account list')).toMatchObject([{ id }]);
});
