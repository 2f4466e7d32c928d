import { setTimeout as pause } from 'node:timers/promises';
import { Feedback } from '@leadback/db';
import type { TestDatabase } from '@leadback/test-fixtures';
import { expect, vi } from 'vitest';
import type { Ledger } from './ledger.ts';

// not deliveries that wait for an operator
const comesDue = `update feedback set due_at = now(), held_until = now() where state = 'pending' and held_until < 'infinity'`;

/** Expires all leases and retry pauses. Only for tests in which no worker has claimed anything. */
export const expireLeases = async ({ pool }: TestDatabase): Promise<void> => {
  await pool.query(comesDue);
};

/** Expires retry pauses, but not the leases of workers. */
export const retriesComeDue = async ({ pool }: TestDatabase): Promise<void> => {
  await pool.query(`${comesDue} and claims_unfinished = 0`);
};

/** Expires the time after which the relay publishes unclaimed deliveries again. */
export const relayLooksAgain = async ({ pool }: TestDatabase): Promise<void> => {
  await pool.query(`update feedback set due_at = now() where state = 'pending' and held_until <= now()`);
};

/** Waits at most 60 s until every delivery is delivered. */
export const allDelivered = (database: TestDatabase): Promise<unknown> =>
  vi.waitFor(async () => expect(await database.em().count(Feedback, { state: { $ne: 'delivered' } })).toBe(0), {
    timeout: 60_000,
    interval: 100,
  });

const drainMaxMs = 60_000;
const timeoutMs = 5_000;

/** Makes the relay publish until nothing is pending, for at most a minute. */
export const drained = async (database: TestDatabase): Promise<void> => {
  const deadline = performance.now() + drainMaxMs;
  const isOver = async () => (await database.em().count(Feedback, { state: 'pending' })) === 0;
  while (performance.now() < deadline) {
    await relayLooksAgain(database);
    for (const until = performance.now() + timeoutMs; performance.now() < until; await pause(50)) {
      if (await isOver()) return;
    }
  }
};

/** Waits at most 30 s until new conversions are delivered immediately. */
export const flowsAgain = ({ pool }: TestDatabase, ledger: Ledger): Promise<void> =>
  vi.waitFor(
    async () => {
      const [{ ids } = { ids: [] }] = await ledger.register(1);
      const delivered = `select 1 from feedback where conversion_id = $1 and state = 'delivered'`;
      await vi.waitFor(async () => expect((await pool.query(delivered, ids)).rowCount).toBe(2), { interval: 20 });
    },
    { timeout: 30_000, interval: 50 },
  );
