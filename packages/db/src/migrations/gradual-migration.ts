import { setTimeout } from 'node:timers/promises';
import { Migration } from '@mikro-orm/migrations';

// statements that come after a waiting lock request have to wait as well, so the wait per table is short
const lockTimeout = '200ms';
// longer than the vacuum of a large table, whose lock conflicts
const timeoutMs = 15 * 60_000;
const pauseMs = 500;

const isLockTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === '55P03';

/**
 * A migration that changes tables while apps use them, in transactions of its own: a lock that was taken before would be held while
 * it waits for another one.
 */
export abstract class GradualMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /**
   * Changes tables that are in use, in one transaction. Locks the tables in the given order, 200 ms at most for each, and
   * retries for at most 15 minutes if that fails; other statements wait less than a second.
   */
  protected async change(tables: readonly string[], change: string): Promise<void> {
    for (const startedAt = performance.now(); ; ) {
      try {
        await this.execute(
          `set local lock_timeout = '${lockTimeout}';
         lock table ${tables.map((table) => `only ${table}`).join(', ')} in access exclusive mode;
         ${change}`,
        );
        return;
      } catch (error) {
        if (!isLockTimeout(error) || performance.now() - startedAt > timeoutMs) throw error;
      }
      await setTimeout(pauseMs * (1 + Math.random()));
    }
  }
}
