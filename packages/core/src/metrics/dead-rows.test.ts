import { openPool } from '@leadback/db';
import { countDeadRows } from '@leadback/core/metrics/metrics';
import { eventually, givenDatabase } from '@leadback/testing';
import { expect, it } from 'vitest';

it('counts the deleted rows that a long snapshot keeps, until it ends', async () => {
  await using database = await givenDatabase();
  await using owner = await openPool({ url: database.ownerUrl, applicationName: 'owner' });
  const vacuumed = async (table: 'delivery_due' | 'metric_change') => {
    await owner.pool.query(`vacuum (index_cleanup on) ${table}`);
    return (await countDeadRows(database.pool)).get(table);
  };
  const reader = database.em();
  await reader.begin({ isolationLevel: 'repeatable read' });
  await reader.execute('select count(*) from account');
  await database.pool.query(
    `insert into delivery_due (account_id, connection_id, delivery_ids) select 1, 1, '{1}' from generate_series(1, 300)`,
  );
  await database.pool.query('delete from delivery_due');
  await eventually(async () => expect(await vacuumed('delivery_due')).toBe(300));
  expect(await vacuumed('metric_change')).toBe(0);
  await reader.rollback();
  await eventually(async () => expect(await vacuumed('delivery_due')).toBe(0));
});
