import type { AccountId, ErasureAsker } from '@leadback/domain';
import { inTransaction, isDatabaseUnavailable, type Pool, preparedStatement } from '@leadback/db';
import { completeErasure, unhurried } from './complete-erasure.ts';
import { isAnyoneErased } from './erase-person.ts';
import { type ErasureTools, type PendingErasure, performErasure, pendingColumns } from './perform-erasure.ts';

// with the pauses: given up after about eight hours
const failuresMax = 14;
const pauseMaxSeconds = 3_600;

/** What happened to the erasure that was due. */
export type ErasureStep = { readonly id: string; readonly accountId: AccountId; readonly askedBy: ErasureAsker } & (
  | { readonly outcome: 'done'; readonly isAnyoneErased: boolean }
  | { readonly outcome: 'asked' }
  | { readonly outcome: 'retry' | 'failed'; readonly error: unknown }
);

const take = preparedStatement<PendingErasure>(
  'take-erasure',
  `select ${pendingColumns}
   from erasure where state = 'pending' and due_at <= now() order by due_at limit 1 for update skip locked`,
);

// One that has failed for good names the person no more. One that has erased the person never ends without its receipt:
// asked for again, it would find nobody, and say that no platform was told.
const postpone = preparedStatement<{ state: 'pending' | 'failed' }>(
  'postpone-erasure',
  `update erasure
   set failures = failures + 1,
       due_at = now() + least(5 * 2 ^ least(failures, $3), $2) * interval '1 second',
       state = case when failures + 1 >= $3 and not $4 then 'failed' else state end,
       finished_at = case when failures + 1 >= $3 and not $4 then now() end,
       subject = case when failures + 1 < $3 or $4 then subject end
   where id = $1 and state not in ('asked', 'done', 'failed', 'lapsed') returning state`,
);

/**
 * Performs the erasure that has been due longest: erases the person in one transaction, and counts for the receipt in the
 * next, which holds up nothing. A process that is killed in the first changes nothing, and the next one performs it; of one
 * that is killed in the second, another counts again. Undefined if none is due. Throws if PostgreSQL is unavailable; after
 * any other error the erasure is tried again later. `pool`: without a limit on the time of statements, because an erasure
 * reads all imported rows of the account.
 */
export const performNextErasure = async (pool: Pool, tools: ErasureTools): Promise<ErasureStep | undefined> => {
  let taken: PendingErasure | undefined;
  let isErased = false;
  let isLeft = false;
  try {
    const due = await inTransaction(pool, async (on) => {
      [taken] = await take(on, []);
      if (!taken) return undefined;
      await on.query(unhurried);
      isLeft = (await performErasure(on, taken, tools)) === 'asked';
      return taken;
    });
    if (!due) return undefined;
    const { id, accountId, askedBy } = due;
    if (isLeft) return { id, accountId, askedBy, outcome: 'asked' as const };
    isErased = true;
    const result = await completeErasure(pool, id, tools);
    // another process has completed it meanwhile
    if (!result) return undefined;
    return { id, accountId, askedBy, outcome: 'done' as const, isAnyoneErased: isAnyoneErased(result) };
  } catch (error) {
    if (!taken || isDatabaseUnavailable(error)) throw error;
    const { id, accountId, askedBy } = taken;
    const [left] = await postpone(pool, [id, pauseMaxSeconds, failuresMax, isErased]);
    // another process has performed it meanwhile
    if (!left) return undefined;
    return { id, accountId, askedBy, outcome: left.state === 'failed' ? 'failed' : 'retry', error };
  }
};
