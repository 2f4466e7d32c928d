import { setTimeout as pause } from 'node:timers/promises';
import { Delivery } from '@leadback/db';
import { hintGrace } from '@leadback/core/delivery/due';
import { eventually, waitMaxMs, type TestDatabase } from '@leadback/testing';
import { expect } from 'vitest';
import type { Entry, Ledger } from './ledger.ts';

/** Expires all leases and retry pauses. Only for tests in which no worker has claimed anything. */
export const expireLeases = async ({ pool }: TestDatabase): Promise<void> => {
  await pool.query('update delivery_due set not_before = now() where not_before > now()');
};

/** Expires retry pauses, but not the leases of workers. */
export const retriesComeDue = async ({ pool }: TestDatabase): Promise<void> => {
  await pool.query(`update delivery_due set not_before = now() where not_before > now() and phase = 'waiting'`);
};

/**
 * How many deliveries are claimed. After a crash: how many may have reached their platform without being saved, so that
 * they are sent again.
 */
export const claimedCount = async ({ pool }: TestDatabase): Promise<number> => {
  const { rows } = await pool.query<{ claimed: number }>(
    `select coalesce(sum(cardinality(delivery_ids)), 0)::int as claimed from delivery_due where phase = 'claimed'`,
  );
  return rows[0]?.claimed ?? 0;
};

/**
 * After all workers were killed: waits until PostgreSQL has run what they had sent, such as a claim, then expires what they
 * claimed. Returns how many deliveries that were.
 */
export const expireClaimsOfKilled = async (database: TestDatabase): Promise<number> => {
  const sessions = `select from pg_stat_activity where datname = current_database() and application_name = 'leadback feedback-worker'`;
  await eventually(async () => expect((await database.pool.query(sessions)).rowCount).toBe(0));
  const claimed = await claimedCount(database);
  await expireLeases(database);
  return claimed;
};

/**
 * After workers lost the database: waits until they have saved what they can, and expires the claims that are left. Returns
 * how many deliveries those have: they may be sent again, with the same event id.
 */
export const expireLostClaims = async (database: TestDatabase): Promise<number> => {
  let claimed = -1;
  await eventually(
    async () => {
      const before = claimed;
      claimed = await claimedCount(database);
      expect(claimed).toBe(before);
    },
    { timeout: 60_000, interval: 2_000 },
  );
  await expireLeases(database);
  return claimed;
};

/** Waits until every delivery is delivered. */
export const allDelivered = (database: TestDatabase): Promise<unknown> =>
  eventually(async () => expect(await database.em().count(Delivery, { state: { $ne: 'delivered' } })).toBe(0));

/** Waits at most two minutes until nothing is pending. */
export const drained = async (database: TestDatabase): Promise<void> => {
  const deadline = performance.now() + waitMaxMs;
  while ((await database.em().count(Delivery, { state: 'pending' })) > 0 && performance.now() < deadline)
    await pause(100);
};

/**
 * Waits at most 20 s until these conversions are delivered to every connection: long enough for a busy machine, and far
 * less than a lease or the pause before a retry.
 */
export const areDelivered = ({ pool }: TestDatabase, entries: readonly Entry[]): Promise<void> => {
  const ids = entries.flatMap((entry) => entry.ids);
  const open = `select from delivery where conversion_id = any($1::bigint[]) and state <> 'delivered'`;
  return eventually(async () => expect((await pool.query(open, [ids])).rowCount).toBe(0), {
    timeout: 20_000,
    interval: 100,
  });
};

/**
 * Waits at most 30 s, which is promised, until hints reach the workers: until a conversion of connections that are idle
 * otherwise is delivered before workers would look for it themselves.
 */
export const flowsAgain = ({ pool }: TestDatabase, ledger: Ledger): Promise<void> => {
  const delivered = `select max(closed_at - created_at) < interval '${hintGrace}' as by_hints
    from delivery where conversion_id = $1 and state = 'delivered' having count(*) = 2`;
  return eventually(
    async () => {
      const [{ ids } = { ids: [] }] = await ledger.register(1, await ledger.bystander());
      const arrives = async () => {
        const { rows } = await pool.query<{ by_hints: boolean }>(delivered, ids);
        expect(rows).toHaveLength(1);
        return rows[0];
      };
      expect((await eventually(arrives, { timeout: 5_000 }))?.by_hints).toBe(true);
    },
    { timeout: 30_000 },
  );
};
