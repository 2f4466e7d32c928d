import { setTimeout } from 'node:timers/promises';
import { isLockTimeout } from './database-failure.ts';

// statements that come after a waiting lock request have to wait as well, so the wait per table is short
const lockTimeout = '200ms';
// longer than the vacuum of a large table, whose lock conflicts
const timeoutMs = 15 * 60_000;
const pauseMs = 500;

/** Repeats the work while it fails with a lock timeout, for at most 15 minutes. */
export const withLockRetry = async (work: () => Promise<unknown>): Promise<void> => {
  for (const startedAt = performance.now(); ; ) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() - startedAt > timeoutMs) throw error;
    }
    await setTimeout(pauseMs * (1 + Math.random()));
  }
};

/**
 * Changes tables that are in use, in one transaction. Locks the tables in the given order, 200 ms at most for each, and
 * retries if that fails; other statements wait less than a second.
 */
export const changeWithLockRetry = (
  execute: (sql: string) => Promise<unknown>,
  { tables, change }: { readonly tables: readonly string[]; readonly change: string },
): Promise<void> =>
  withLockRetry(() =>
    execute(
      `set local lock_timeout = '${lockTimeout}';
       lock table ${tables.map((table) => `only ${table}`).join(', ')} in access exclusive mode;
       ${change}`,
    ),
  );
