import { measureBacklog } from '@leadback/delivery';
import { givenConnection, givenDatabase, givenManyFeedback, type TestDatabase } from '@leadback/test-fixtures';
import { beforeAll, describe, expect, it } from 'vitest';

type Options = NonNullable<Parameters<typeof givenConnection>[1]>;

const ago = (hours: number) => `now() - interval '${hours} hours'`;
const ahead = `now() + interval '1 hour'`;

/** Deliveries of a new connection with these columns; `occurred`: hours ago. */
const givenWaiting = async (
  database: TestDatabase,
  { rows, columns, occurred }: { readonly rows: number; readonly columns: string; readonly occurred?: number },
  options: Options = {},
) => {
  const connection = await givenConnection(database.em(), options);
  const ids = await givenManyFeedback(database, { connection, rows });
  await database.pool.query(`update feedback set ${columns} where id = any($1)`, [ids]);
  // a conversion is registered together with its deliveries
  await database.pool.query(
    `update conversion v set created_at = f.created_at, occurred_at = now() - $2 * interval '1 hour'
     from feedback f where v.id = f.conversion_id and f.id = any($1)`,
    [ids, occurred ?? null],
  );
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
    // published repeatedly but never claimed
    await givenWaiting(database, {
      rows: 3,
      columns: `created_at = ${ago(2)}, held_until = ${ago(2)}, due_at = now() + interval '30 seconds'`,
    });
    await givenWaiting(database, {
      rows: 2,
      columns: `created_at = ${ago(1)}, held_until = ${ago(1)}, due_at = ${ago(1)}`,
    });
    // a planned retry of a conversion that was registered late, and one that waits for a quota slot
    await givenWaiting(database, {
      rows: 4,
      columns: `created_at = ${ago(9)}, held_until = ${ahead}, due_at = ${ahead}`,
      occurred: 99,
    });
    await givenWaiting(database, {
      rows: 1,
      columns: `created_at = ${ago(8)}, held_until = ${ago(8)}, due_at = ${ahead}`,
    });
    // retried by an operator
    await givenWaiting(database, {
      rows: 1,
      columns: `created_at = ${ago(90)}, retried_since = ${ago(3)}, held_until = ${ahead}, due_at = ${ahead}`,
    });
    const parked = `created_at = ${ago(50)}, held_until = 'infinity', due_at = 'infinity'`;
    await givenWaiting(database, { rows: 5, columns: parked }, { platform: 'google', state: 'paused' });
    await givenWaiting(
      database,
      { rows: 6, columns: parked, occurred: 150 },
      { platform: 'google', state: 'needs_attention' },
    );
    const closed = { rows: 1, columns: `state = 'delivered', closed_at = now()` };
    await givenWaiting(database, closed, { platform: 'tiktok' });
    return () => database[Symbol.asyncDispose]();
  });

  it('counts a delivery as overdue since a worker could claim it, even if it was published again', async () => {
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

  it('leaves closed deliveries out of the backlog', async () => {
    expect(await ofPlatform('tiktok')).toEqual([]);
  });

  it('counts the connections in each state', async () => {
    const { connections } = await measured();
    expect(connections).toHaveLength(4);
    expect(connections).toContainEqual({ platform: 'meta', state: 'active', connections: 5 });
    expect(connections).toContainEqual({ platform: 'google', state: 'needs_attention', connections: 1 });
  });
});
