import { eventually, type TestDatabase } from '@leadback/testing';
import { expect } from 'vitest';

/** Waits until so many sessions of the database wait for a lock. */
export const waitingForLocks = ({ pool }: Pick<TestDatabase, 'pool'>, count: number): Promise<void> =>
  eventually(
    async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect((await pool.query(waiting)).rowCount).toBe(count);
    },
    { interval: 10 },
  );
