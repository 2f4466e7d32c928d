import { setTimeout as pause } from 'node:timers/promises';
import { Feedback } from '@leadback/db';
import type { TestDatabase } from '@leadback/test-fixtures';
import { expect, vi } from 'vitest';
import type { Ledger } from './ledger.ts';

// what waits for an operator waits on
const comesDue = `update feedback set due_at = now(), held_until = now() where state = 'pending' and held_until < 'infinity'`;

/** Lets the time pass for which feedback is left to whoever had it, or waits for its retry. Of use where nobody has any. */
export const expireLeases = async ({ pool }: TestDatabase): Promise<void> => {
  await pool.query(comesDue);
};

/** Lets the time pass for which feedback waits for its retry; what a worker has in hand stays there. */
export const retriesComeDue = async ({ pool }: TestDatabase): Promise<void> => {
  await pool.query(`${comesDue} and claims_unfinished = 0`);
};

/** Lets the time pass after which the relay publishes again what no worker has taken. */
export const relayLooksAgain = async ({ pool }: TestDatabase): Promise<void> => {
  await pool.query(`update feedback set due_at = now() where state = 'pending' and held_until <= now()`);
};

/** Waits until every feedback row is delivered. */
export const allDelivered = (database: TestDatabase): Promise<unknown> =>
  vi.waitFor(async () => expect(await database.em().count(Feedback, { state: { $ne: 'delivered' } })).toBe(0), {
    timeout: 60_000,
    interval: 100,
  });

const drainMaxMs = 60_000;
const timeoutMs = 5_000;

/** Lets the relay look again and again until nothing is pending any more, for at most a minute. */
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

/** Waits until a conversion is reported by itself, as soon as it was registered; for at most half a minute. */
export const flowsAgain = ({ pool }: TestDatabase, ledger: Ledger): Promise<void> =>
  vi.waitFor(
    async () => {
      const [{ ids } = { ids: [] }] = await ledger.register(1);
      const delivered = `select 1 from feedback where conversion_id = $1 and state = 'delivered'`;
      await vi.waitFor(async () => expect((await pool.query(delivered, ids)).rowCount).toBe(2), { interval: 20 });
    },
    { timeout: 30_000, interval: 50 },
  );
