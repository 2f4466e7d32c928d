import { setTimeout } from 'node:timers/promises';
import { isLockTimeout } from './database-failure.ts';

// Whoever comes after one that waits for a lock waits as well: so we wait for each of the tables no longer than this
const lockTimeout = '200ms';
// longer than the vacuum of a large table, which holds a lock that has to be waited for
const timeoutMs = 15 * 60_000;
const pauseMs = 500;

/** Does something again and again for as long as a lock that it needs is refused. */
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
 * Changes tables that are in use: takes them for itself in the order given, or tries again later where that does not
 * succeed at once, so that nobody else waits for as long as a second. All in one transaction.
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
