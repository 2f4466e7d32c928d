import { failureScopeOf, inTransaction, inTransactionRolledBack, type Pool, type Queryable } from '@leadback/db';
import { batch } from '@leadback/runtime/batch';

export interface BatchOptions {
  /** Finds the outcomes and changes nothing. */
  readonly isDryRun: boolean;
}

export interface BatchWork<Registered extends { readonly outcomes: readonly unknown[] }> {
  /** Registers a part of the items; `start` is the index of its first one. Must return one outcome per item, in order. */
  readonly register: (on: Queryable, items: readonly unknown[], start: number) => Promise<Registered>;
  /** Called after each commit. Must not throw. */
  readonly onCommit: (registered: Registered) => void;
}

// a larger group holds its locks and its connection for longer, and saves little: a statement costs as much as 15 rows
const groupMax = 100;
// With two, single calls wait three times as long while several callers send batches: see docs/performance.md.
const groupsAtOnce = 1;

/**
 * Returns a function that registers the items of batches in groups, with one commit each. Groups of concurrent batches
 * take turns. A batch that fails has registered some groups whole and nothing of the others; it may be sent again.
 */
export const batchRunner = (pool: Pool) => {
  const inTurn = batch(
    async ([run]: readonly (() => Promise<void>)[]) => {
      await run?.();
      return [true];
    },
    { itemsMax: 1, runsMax: groupsAtOnce },
  );

  return async <Outcome, Registered extends { readonly outcomes: readonly Outcome[] }>(
    items: readonly unknown[],
    { isDryRun }: BatchOptions,
    { register, onCommit }: BatchWork<Registered>,
  ): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];

    const commit = async (group: readonly unknown[], start: number): Promise<void> => {
      const registered = await inTransaction(pool, (on) => register(on, group, start));
      outcomes.push(...registered.outcomes);
      onCommit(registered);
    };
    const commitOrSplit = async (group: readonly unknown[], start: number): Promise<void> => {
      try {
        await commit(group, start);
      } catch (error) {
        if (failureScopeOf(error) !== 'item' || group.length === 1) throw error;
        for (const [place, item] of group.entries()) await commit([item], start + place);
      }
    };

    if (isDryRun) {
      // in one statement, in whose order transactions lock references: several could wait for each other
      await inTurn(async () => {
        const registered = await inTransactionRolledBack(pool, (on) => register(on, items, 0));
        outcomes.push(...registered.outcomes);
      });
      return outcomes;
    }
    for (let start = 0; start < items.length; start += groupMax) {
      await inTurn(() => commitOrSplit(items.slice(start, start + groupMax), start));
    }
    return outcomes;
  };
};
