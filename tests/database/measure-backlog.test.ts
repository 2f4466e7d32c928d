import { measureBacklog } from '@leadback/db';
import { givenConnection, givenDatabase, givenManyFeedback, type TestDatabase } from '@leadback/given';
import { beforeAll, describe, expect, it } from 'vitest';

type Options = NonNullable<Parameters<typeof givenConnection>[1]>;

const ago = (hours: number) => `now() - interval '${hours} hours'`;
const ahead = `now() + interval '1 hour'`;

/** So much feedback of a new connection, with columns as they are set. */
const givenWaiting = async (database: TestDatabase, rows: number, columns: string, options: Options = {}) => {
  const connection = await givenConnection(database.em(), options);
  const ids = await givenManyFeedback(database, { connection, rows });
  await database.pool.query(`update feedback set ${columns} where id = any($1)`, [ids]);
};

describe('the backlog', () => {
  let database: TestDatabase;
  const measured = async () => {
    const { parts, connections } = await measureBacklog(database.pool);
    const rounded = parts.map((part) => ({
      ...part,
      oldestSeconds: Math.floor(part.oldestSeconds / 3600),
      freeSeconds: Math.floor(part.freeSeconds / 3600),
    }));
    return { parts: rounded, connections };
  };
  const ofPlatform = async (platform: Options['platform']) =>
    (await measured()).parts.filter((part) => part.platform === platform);

  beforeAll(async () => {
    database = await givenDatabase();
    // published again and again, and nobody takes it
    await givenWaiting(
      database,
      3,
      `created_at = ${ago(2)}, held_until = ${ago(2)}, due_at = now() + interval '30 seconds'`,
    );
    await givenWaiting(database, 2, `created_at = ${ago(1)}, held_until = ${ago(1)}, due_at = ${ago(1)}`);
    // a planned retry, and what waits for its turn
    await givenWaiting(database, 4, `created_at = ${ago(9)}, held_until = ${ahead}, due_at = ${ahead}`);
    await givenWaiting(database, 1, `created_at = ${ago(8)}, held_until = ${ago(8)}, due_at = ${ahead}`);
    const parked = `created_at = ${ago(50)}, held_until = 'infinity', due_at = 'infinity'`;
    await givenWaiting(database, 5, parked, { platform: 'google', state: 'paused' });
    await givenWaiting(database, 6, parked, { platform: 'google', state: 'needs_attention' });
    await givenWaiting(database, 1, `state = 'delivered', closed_at = now()`, { platform: 'tiktok' });
    return () => database[Symbol.asyncDispose]();
  });

  it('is overdue from when a worker could have had it, however often it was published', async () => {
    expect(await ofPlatform('meta')).toContainEqual({
      platform: 'meta',
      waitsFor: 'worker',
      rows: 5,
      oldestSeconds: 2,
      freeSeconds: 2,
    });
  });

  it('is not overdue while it waits for a retry or its turn', async () => {
    expect(await ofPlatform('meta')).toContainEqual({
      platform: 'meta',
      waitsFor: 'retry',
      rows: 5,
      oldestSeconds: 9,
      freeSeconds: 0,
    });
  });

  it('that waits for the operator is told apart, and how old it is', async () => {
    const parts = await ofPlatform('google');
    expect(parts).toHaveLength(2);
    expect(parts).toContainEqual({
      platform: 'google',
      waitsFor: 'paused',
      rows: 5,
      oldestSeconds: 50,
      freeSeconds: 0,
    });
    expect(parts).toContainEqual({
      platform: 'google',
      waitsFor: 'needs_attention',
      rows: 6,
      oldestSeconds: 50,
      freeSeconds: 0,
    });
  });

  it('has nothing of what is closed', async () => {
    expect(await ofPlatform('tiktok')).toEqual([]);
  });

  it('comes with how many connections there are in each state', async () => {
    const { connections } = await measured();
    expect(connections).toHaveLength(4);
    expect(connections).toContainEqual({ platform: 'meta', state: 'active', connections: 4 });
    expect(connections).toContainEqual({ platform: 'google', state: 'needs_attention', connections: 1 });
  });
});
