import { isDatabaseUnavailable, isStatementTimeout, openPool } from '@leadback/db';
import { dueFinder } from '@leadback/core/delivery/due';
import { givenDatabase, tcpProxy } from '@leadback/testing';
import { expect, it, vi } from 'vitest';

/** The URL of a database whose statements end after so long. */
const withTimeout = (url: string, ms: number) => {
  const own = new URL(url);
  own.searchParams.set('options', `-c statement_timeout=${ms}`);
  return own.href;
};

const searching = (pool: Parameters<typeof dueFinder>[0]) => {
  const query = vi.spyOn(pool, 'query');
  const due = dueFinder(pool);
  return {
    find: () => due.find().catch((error: unknown) => error),
    expectReaches: (...reaches: (string | null)[]) =>
      expect(query.mock.calls).toMatchObject(reaches.map((reach) => [{ values: [[], [], reach] }])),
  };
};

it('searches for recent parcels alone if searching for all of them takes too long', async () => {
  await using database = await givenDatabase();
  await using owner = await openPool({ url: database.ownerUrl, applicationName: 'test' });
  await using slow = await openPool({
    url: withTimeout(database.url, 200),
    applicationName: 'test',
    hasNoStatementTimeout: true,
  });
  const { find, expectReaches } = searching(slow.pool);
  const other = await owner.pool.connect();
  await other.query('begin');
  await other.query('lock table delivery_due');
  expect(await find()).toSatisfy(isStatementTimeout);
  await other.query('rollback');
  other.release();
  expectReaches(null, '10 minutes');
});

it('does not search again if it has lost PostgreSQL', async () => {
  await using database = await givenDatabase();
  await using proxy = await tcpProxy(database.url);
  await using lost = await openPool({ url: proxy.url, applicationName: 'test' });
  const { find, expectReaches } = searching(lost.pool);
  expect(await find()).toMatchObject({ connections: [] });
  proxy.cut();
  expect(await find()).toSatisfy(isDatabaseUnavailable);
  expectReaches(null, null);
});
