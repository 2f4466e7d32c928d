import { type AccountId, Refusal } from '@leadback/domain';
import {
  failureScopeOf,
  inTransaction,
  inTransactionRolledBack,
  isDataError,
  type Pool,
  type Queryable,
} from '@leadback/db';
import { batch } from '@leadback/db/batch';
import { type RefusedItem, refusedItem } from './register-items.ts';

export interface BatchOptions {
  /** Finds the outcomes and changes nothing. */
  readonly isDryRun: boolean;
}

export interface BatchToRun extends BatchOptions {
  readonly accountId: AccountId;
  readonly items: readonly unknown[];
}

export interface BatchRunnerOptions {
  /** Called with what PostgreSQL says about an item that it can never store. Must not throw. */
  readonly onRefused: (error: unknown) => void;
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
// Batches take turns: with more of them, callers would wait for longer than for any other response. One account leaves
// room for others.
const batchesMax = 16;
const batchesOfAccountMax = 8;

const rethrowUnlessOfItem = (error: unknown): void => {
  if (failureScopeOf(error) !== 'item') throw error;
};

/**
 * Returns a function that registers the items of batches in groups, with one commit each. Groups of concurrent batches
 * take turns. An item that PostgreSQL can never store is refused as `internal`. A batch that fails has registered some
 * groups whole and nothing of the others; it may be sent again. Throws `overloaded` while 16 batches, or 8 of the account,
 * are in progress.
 */
export const batchRunner = (pool: Pool, { onRefused }: BatchRunnerOptions) => {
  const inTurn = batch(
    async ([run]: readonly (() => Promise<void>)[]) => {
      await run?.();
      return [true];
    },
    { itemsMax: 1, runsMax: groupsAtOnce },
  );

  const inProgress: AccountId[] = [];
  const enter = (accountId: AccountId): Disposable => {
    const ofAccount = inProgress.filter((one) => one === accountId).length;
    if (inProgress.length >= batchesMax || ofAccount >= batchesOfAccountMax) throw new Refusal('overloaded');
    inProgress.push(accountId);
    return {
      [Symbol.dispose]() {
        inProgress.splice(inProgress.indexOf(accountId), 1);
      },
    };
  };

  const refusalAfter = (error: unknown): RefusedItem => {
    if (!isDataError(error)) throw error;
    onRefused(error);
    return refusedItem(new Refusal('internal'));
  };

  return async <Outcome, Registered extends { readonly outcomes: readonly (Outcome | RefusedItem)[] }>(
    { accountId, items, isDryRun }: BatchToRun,
    { register, onCommit }: BatchWork<Registered>,
  ): Promise<(Outcome | RefusedItem)[]> => {
    using _place = enter(accountId);
    const outcomes: (Outcome | RefusedItem)[] = [];

    const commit = async (group: readonly unknown[], start: number): Promise<void> => {
      const registered = await inTransaction(pool, (on) => register(on, group, start));
      outcomes.push(...registered.outcomes);
      onCommit(registered);
    };
    const commitOrSplit = async (group: readonly unknown[], start: number): Promise<void> => {
      try {
        await commit(group, start);
      } catch (error) {
        rethrowUnlessOfItem(error);
        for (const [place, item] of group.entries()) {
          await commit([item], start + place).catch((reason) => outcomes.push(refusalAfter(reason)));
        }
      }
    };

    const tryAll = async (): Promise<void> => {
      // in one statement, in whose order transactions lock references: several could wait for each other
      const registered = await inTransactionRolledBack(pool, (on) => register(on, items, 0));
      outcomes.push(...registered.outcomes);
    };
    const tryEach = () =>
      inTransactionRolledBack(pool, async (on) => {
        for (const [index, item] of items.entries()) {
          await on.query('savepoint item');
          try {
            outcomes.push(...(await register(on, [item], index)).outcomes);
          } catch (error) {
            outcomes.push(refusalAfter(error));
            await on.query('rollback to savepoint item');
          }
          await on.query('release savepoint item');
        }
      });

    if (isDryRun) {
      await inTurn(async () => {
        try {
          await tryAll();
        } catch (error) {
          rethrowUnlessOfItem(error);
          await tryEach();
        }
      });
      return outcomes;
    }
    for (let start = 0; start < items.length; start += groupMax) {
      await inTurn(() => commitOrSplit(items.slice(start, start + groupMax), start));
    }
    return outcomes;
  };
};
