import { measureBacklog } from '@leadback/core/delivery/due';
import { countUndelivered, readUndelivered } from '@leadback/core/delivery/undelivered';
import { readOnTheirWay } from '@leadback/core/delivery/waiting';
import { accountScope } from '@leadback/core/people/access';
import {
  type TestDatabase,
  givenAccount,
  givenConnection,
  givenConversion,
  givenDatabase,
  givenDelivery,
} from '@leadback/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { givenParcel } from '../../test/parcels.ts';

type Options = NonNullable<Parameters<typeof givenConnection>[1]>;

const ago = (hours: number) => `now() - interval '${hours} hours'`;
const ahead = `now() + interval '1 hour'`;

interface Waiting {
  readonly rows: number;
  /** Of their parcel. */
  readonly columns: string;
}

const givenWaiting = async (database: TestDatabase, { rows, columns }: Waiting, options: Options = {}) => {
  const connection = await givenConnection(database.em(), options);
  const { id } = await givenParcel(database, { connection, size: rows });
  await database.pool.query(`update delivery_due set ${columns} where id = $1`, [id]);
};

describe('the backlog', () => {
  let database: TestDatabase;
  const measured = async () => {
    const { parts, connections } = await measureBacklog(database.pool);
    const rounded = parts.map((part) => ({
      ...part,
      oldestSeconds: Math.floor(part.oldestSeconds / 3600),
      triedSeconds: Math.floor(part.triedSeconds / 3600),
      freeSeconds: Math.floor(part.freeSeconds / 3600),
    }));
    return { parts: rounded, connections };
  };
  const ofPlatform = async (platform: Options['platform']) =>
    (await measured()).parts.filter((part) => part.platform === platform);

  beforeAll(async () => {
    database = await givenDatabase();
    // hinted but never claimed
    const isNew = (hours: number) =>
      `retry_from = ${ago(hours)}, oldest_at = ${ago(hours)}, not_before = ${ago(hours)}`;
    await givenWaiting(database, { rows: 3, columns: isNew(2) });
    await givenWaiting(database, { rows: 2, columns: isNew(1) });
    // a planned retry of a conversion that was registered late, and one that waits for a quota slot
    await givenWaiting(database, {
      rows: 4,
      columns: `retry_from = ${ago(9)}, oldest_at = ${ago(99)}, not_before = ${ahead}`,
    });
    await givenWaiting(database, {
      rows: 1,
      columns: `retry_from = ${ago(8)}, oldest_at = ${ago(8)}, not_before = ${ahead}`,
    });
    // retried by an operator
    await givenWaiting(database, {
      rows: 1,
      columns: `retry_from = ${ago(3)}, oldest_at = ${ago(90)}, not_before = ${ahead}`,
    });
    // claimed
    await givenWaiting(
      database,
      { rows: 7, columns: `phase = 'claimed', claim = 1, not_before = ${ahead}` },
      { platform: 'tiktok' },
    );
    const google = { platform: 'google' } as const;
    await givenWaiting(database, { rows: 5, columns: isNew(50) }, { ...google, state: 'paused' });
    await givenWaiting(
      database,
      { rows: 6, columns: `retry_from = ${ago(50)}, oldest_at = ${ago(150)}` },
      { ...google, state: 'needs_attention' },
    );
    return () => database[Symbol.asyncDispose]();
  });

  it('counts a delivery as overdue since a worker could claim it', async () => {
    expect(await ofPlatform('meta')).toContainEqual({
      platform: 'meta',
      waitsFor: 'worker',
      rows: 5,
      oldestSeconds: 2,
      triedSeconds: 2,
      freeSeconds: 2,
    });
  });

  it('does not count a delivery as overdue while it waits for a retry or a quota slot; its age is that of the conversion', async () => {
    expect(await ofPlatform('meta')).toContainEqual({
      platform: 'meta',
      waitsFor: 'retry',
      rows: 6,
      oldestSeconds: 99,
      triedSeconds: 9,
      freeSeconds: 0,
    });
  });

  it('measures deliveries that wait for the operator separately, with the age of the conversion', async () => {
    const parts = await ofPlatform('google');
    expect(parts).toHaveLength(2);
    expect(parts).toContainEqual({
      platform: 'google',
      waitsFor: 'paused',
      rows: 5,
      oldestSeconds: 50,
      triedSeconds: 50,
      freeSeconds: 0,
    });
    expect(parts).toContainEqual({
      platform: 'google',
      waitsFor: 'needs_attention',
      rows: 6,
      oldestSeconds: 150,
      triedSeconds: 50,
      freeSeconds: 0,
    });
  });

  it('counts a claimed delivery as one that is not due, because a worker sends it', async () => {
    expect(await ofPlatform('tiktok')).toMatchObject([{ waitsFor: 'retry', rows: 7, freeSeconds: 0 }]);
  });

  it('counts the connections in each state', async () => {
    const { connections } = await measured();
    expect(connections).toHaveLength(4);
    expect(connections).toContainEqual({ platform: 'meta', state: 'active', connections: 5 });
    expect(connections).toContainEqual({ platform: 'google', state: 'needs_attention', connections: 1 });
  });
});

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
  expect(await readOnTheirWay(database.pool, scope)).toMatchObject([
    { conversions: 1, money: [{ currency: 'EUR', amount: rows[0]?.amount }] },
  ]);
});
