import { takeQuotaSlot } from '@leadback/db';
import { givenDatabase, type TestDatabase, unique } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const quota = (perMinute: number, perDay: number, waitMaxMs: number) => ({
  name: unique('quota'),
  perMinute,
  perDay,
  timeZone: 'America/Los_Angeles',
  waitMaxMs,
});

describe("a turn of a platform's quota", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await givenDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('comes at once for the first, and evenly spread for all who ask at the same time', async () => {
    const wanted = quota(60, 1_000, 60_000);
    const turns = await Promise.all(Array.from({ length: 10 }, () => takeQuotaSlot(database.pool, wanted)));
    const waits = turns.map(({ inMs }) => inMs).toSorted((one, other) => one - other);
    expect(turns.every(({ taken }) => taken)).toBe(true);
    expect(waits[0]).toBe(0);
    const steps = waits.slice(1).map((wait, index) => wait - (waits[index] ?? 0));
    // a second and what they may come closer on their way, less what passes between two statements
    expect(Math.min(...steps)).toBeGreaterThan(500);
    expect(waits.at(-1)).toBeGreaterThan(8_000);
  });

  it('is not taken when it would come too late, and takes nothing from the others', async () => {
    const wanted = quota(1, 1_000, 1_000);
    expect(await takeQuotaSlot(database.pool, wanted)).toEqual({ taken: true, inMs: 0 });
    const later = await takeQuotaSlot(database.pool, wanted);
    expect(later.taken).toBe(false);
    expect(later.inMs).toBeGreaterThan(50_000);
    expect((await takeQuotaSlot(database.pool, wanted)).inMs).toBeLessThanOrEqual(later.inMs);
    expect(await takeQuotaSlot(database.pool, quota(1, 1_000, 1_000))).toMatchObject({ taken: true });
  });

  it("comes on the platform's next day once that of today is used up", async () => {
    const wanted = quota(60_000, 2, 60_000);
    for (const _turn of [1, 2]) expect(await takeQuotaSlot(database.pool, wanted)).toMatchObject({ taken: true });
    const turn = await takeQuotaSlot(database.pool, wanted);
    const { rows } = await database.pool.query(
      `select extract(epoch from date_trunc('day', now() at time zone $1) + interval '1 day'
         - (now() at time zone $1))::float8 * 1000 as ms`,
      [wanted.timeZone],
    );
    expect(turn.taken).toBe(false);
    expect(Math.abs(turn.inMs - Number(rows[0]?.ms))).toBeLessThan(3_700_000);
    await database.pool.query(`update platform_quota set day = day - 1 where name = $1`, [wanted.name]);
    expect(await takeQuotaSlot(database.pool, wanted)).toMatchObject({ taken: true });
  });
});
