import { pauseConnection, resumeConnection } from '@leadback/core/connections/store';
import { dueFinder } from '@leadback/core/delivery/due';
import { givenConnection, givenDatabase, givenManyDeliveries } from '@leadback/testing';
import { expect, it } from 'vitest';

it('finds the deliveries of a resumed connection at once, however long they have been due', async () => {
  await using database = await givenDatabase();
  const connection = await givenConnection(database.em());
  const finder = dueFinder(database.pool);
  const foundIds = async () => (await finder.find()).connections.map(({ id }) => id);
  await givenManyDeliveries(database, { connection, rows: 1 });
  await database.pool.query(`update delivery_due set not_before = now() - interval '1 hour'`);
  expect(await foundIds()).toEqual([connection.id]);

  await pauseConnection(database.em(), connection.id);
  expect(await foundIds()).toEqual([]);
  await resumeConnection(database.em(), connection.id);
  expect(await foundIds()).toEqual([connection.id]);
  expect(Number(finder.dueSince(connection.id))).toBeLessThan(Date.now() - 3_599_000);
});
