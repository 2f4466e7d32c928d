import { type AccountId, Refusal } from '@leadback/domain';
import { failureScopeOf, type Pool } from '@leadback/db';
import { batch } from '@leadback/db/batch';
import { waitingBound } from './waiting-bound.ts';
import { type Idempotence, lost, type OnceOptions, type OnceResult, type Requested, runOnce } from './run-once.ts';

export interface OnceEach<Item, Result, Accepted> extends Idempotence<Item, Result>, OnceOptions {
  /** The item as it is tried again after `lost`. Default: unchanged. */
  readonly secondTry?: (item: Item) => Item;
  /** The accepted part of a result. Throws a `Refusal` if the result refuses the request. */
  readonly accept: (result: Result, item: Item) => Accepted;
}

// A statement costs as much as some fifteen rows, so two statements with half the rows each cost more than one with all.
// The second run is for what would wait long: while a statement waits for a lock, or while many requests arrive. In an
// overload, a turn of the event loop begins a hundred registrations, and a run ends once per turn: with runs of 50, an
// overloaded api registered a quarter less. After PostgreSQL was slow, a run takes half of all that wait.
const limits = {
  itemsUsual: 50,
  itemsMax: 500,
  runsMax: 2,
  besideMs: 2,
  failureScope: failureScopeOf,
  bound: waitingBound,
};

/**
 * Returns a function that executes one request. Concurrent requests share a statement and a commit, and a request with
 * an idempotency key is executed once. Throws `idempotency-in-progress` or `idempotency-key-reused` if the key has no
 * result to return, `overloaded` while many wait, and whatever `accept` throws.
 */
export const onceEach = <Item extends { readonly accountId: AccountId }, Result, Accepted>(
  pool: Pool,
  { secondTry = (item) => item, accept, ...idempotence }: OnceEach<Item, Result, Accepted>,
): ((request: Requested<Item>) => Promise<OnceResult<Accepted>>) => {
  const run = batch(runOnce(pool, idempotence), limits);
  return async ({ item: first, idempotencyKey }) => {
    // a lost item alone: the rest of its group is committed and must not be executed again if this fails
    for (let item = first; ; item = secondTry(item)) {
      const answer = await run({ item, idempotencyKey });
      if (answer instanceof Refusal) throw answer;
      if (answer !== lost) return { ...answer, result: accept(answer.result, item) };
    }
  };
};
