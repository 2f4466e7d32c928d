import type { TestDatabase } from '@leadback/test-fixtures';
import { expect, vi } from 'vitest';

/** Waits until so many sessions of the database wait for a lock. */
export const waitingForLocks = ({ pool }: Pick<TestDatabase, 'pool'>, count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect((await pool.query(waiting)).rowCount).toBe(count);
    },
    { timeout: 10_000, interval: 10 },
  );
