import { Feedback } from '@leadback/db';
import type { TestDatabase } from '@leadback/given';
import { expect, vi } from 'vitest';

/** Lets the time pass for which feedback is left to whoever has it, or waits for its retry. */
export const leasesPass = async ({ pool }: TestDatabase): Promise<void> => {
  await pool.query(`update feedback set due_at = now(), held_until = now() where state = 'pending'`);
};

/** Waits until every feedback row is delivered. */
export const allDelivered = (database: TestDatabase): Promise<unknown> =>
  vi.waitFor(async () => expect(await database.em().count(Feedback, { state: { $ne: 'delivered' } })).toBe(0), {
    timeout: 60_000,
    interval: 100,
  });
