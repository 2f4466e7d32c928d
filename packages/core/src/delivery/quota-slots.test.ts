import { takeQuotaSlot } from '@leadback/core/delivery/quota';
import { givenDatabase, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';

const quota = (perMinute: number, perDay: number, waitMaxMs: number) => ({
  name: unique('quota'),
  perMinute,
  perDay,
  timeZone: 'America/Los_Angeles',
  waitMaxMs,
});

describe('quota slots', async () => {
  const database = await shared(givenDatabase());

  it('gives the first quota slot at once and spreads concurrent ones evenly', async () => {
    const wanted = quota(60, 1_000, 60_000);
    const slots = await Promise.all(Array.from({ length: 10 }, () => takeQuotaSlot(database.pool, wanted)));
    const waits = slots.map(({ inMs }) => inMs).toSorted((one, other) => one - other);
    expect(slots.every(({ taken }) => taken)).toBe(true);
    expect(waits[0]).toBe(0);
    const steps = waits.slice(1).map((wait, index) => wait - (waits[index] ?? 0));
    // slots are one second apart, less the time between two statements
    expect(Math.min(...steps)).toBeGreaterThan(500);
    expect(waits.at(-1)).toBeGreaterThan(8_000);
  });

  it('takes no quota slot that would be too late, and uses up none', async () => {
    const wanted = quota(1, 1_000, 1_000);
    expect(await takeQuotaSlot(database.pool, wanted)).toEqual({ taken: true, inMs: 0 });
    const later = await takeQuotaSlot(database.pool, wanted);
    expect(later.taken).toBe(false);
    expect(later.inMs).toBeGreaterThan(50_000);
    expect((await takeQuotaSlot(database.pool, wanted)).inMs).toBeLessThanOrEqual(later.inMs);
    expect(await takeQuotaSlot(database.pool, quota(1, 1_000, 1_000))).toMatchObject({ taken: true });
  });

  it("gives quota slots of the platform's next day when today's are used up", async () => {
    const wanted = quota(60_000, 2, 60_000);
    for (const _slot of [1, 2]) expect(await takeQuotaSlot(database.pool, wanted)).toMatchObject({ taken: true });
    const slot = await takeQuotaSlot(database.pool, wanted);
    const { rows } = await database.pool.query(
      `select extract(epoch from date_trunc('day', now() at time zone $1) + interval '1 day'
         - (now() at time zone $1))::float8 * 1000 as ms`,
      [wanted.timeZone],
    );
    expect(slot.taken).toBe(false);
    expect(Math.abs(slot.inMs - Number(rows[0]?.ms))).toBeLessThan(3_700_000);
    await database.pool.query(`update platform_quota set day = day - 1 where name = $1`, [wanted.name]);
    expect(await takeQuotaSlot(database.pool, wanted)).toMatchObject({ taken: true });
  });
});
