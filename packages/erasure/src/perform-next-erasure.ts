import type { AccountId, ErasureAsker } from '@leadback/domain';
import { inTransaction, isDatabaseUnavailable, type Pool, type PoolClient, preparedStatement } from '@leadback/db';
import { completeErasure, unhurried } from './complete-erasure.ts';
import { isAnyoneErased, WaitsForImport } from './erase-person.ts';
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

/** How many erasures of visitors are performed in an account within an hour; the others wait, and hold up nobody. */
export const visitorErasuresPerHour = 200;

interface Turn {
  readonly accountId: AccountId;
  readonly isOfVisitor: boolean;
}

const ofVisitor = `asked_by = 'visitor' and confirmed_by is null and erased_at is null`;
const ofOthers = `(asked_by <> 'visitor' or confirmed_by is not null or erased_at is not null)`;

/** SQL: the accounts with such erasures, each found by one step in the index. */
const accountsWith = (name: string, which: string): string => `${name} as (
     select 0::bigint as account_id
     union all
     select (select e.account_id from erasure e
             where e.state = 'pending' and ${which} and e.account_id > ${name}.account_id order by e.account_id limit 1)
     from ${name} where ${name}.account_id is not null
   )`;

const isDue = (which: string) =>
  `exists (select from erasure e where e.state = 'pending' and ${which} and e.account_id = a.account_id and e.due_at <= now())`;

// Those of visitors come last. Among accounts, the one whose last erasure ended first has the turn. Several apis may perform
// some more than the limit.
const readTurns = preparedStatement<Turn>(
  'read-turns-of-erasures',
  `with recursive ${accountsWith('others', ofOthers)}, ${accountsWith('visitors', ofVisitor)}
   select a.account_id as "accountId", a.is_of_visitor as "isOfVisitor"
   from (
     select a.account_id, false as is_of_visitor from others a where a.account_id is not null and ${isDue(ofOthers)}
     union all
     select a.account_id, true from visitors a
     where a.account_id is not null and ${isDue(ofVisitor)}
       and (select count(*) from erasure e
            where e.account_id = a.account_id and e.finished_at > now() - interval '1 hour' and e.asked_by = 'visitor'
              and e.confirmed_by is null) < $1
   ) a
   order by a.is_of_visitor,
     (select finished_at from erasure where account_id = a.account_id and finished_at is not null order by finished_at desc limit 1)
       nulls first,
     a.account_id`,
);

const takeOf = (name: string, which: string) =>
  preparedStatement<PendingErasure>(
    name,
    `select ${pendingColumns}
     from erasure where state = 'pending' and ${which} and account_id = $1 and due_at <= now()
     order by due_at limit 1 for update skip locked`,
  );
const takeOfVisitor = takeOf('take-erasure-of-visitor', ofVisitor);
const takeOfOthers = takeOf('take-erasure', ofOthers);

const take = async (on: PoolClient): Promise<PendingErasure | undefined> => {
  for (const { accountId, isOfVisitor } of await readTurns(on, [visitorErasuresPerHour])) {
    const [taken] = await (isOfVisitor ? takeOfVisitor : takeOfOthers)(on, [accountId]);
    if (taken) return taken;
  }
  return undefined;
};

const waitForImport = preparedStatement(
  'let-erasure-wait-for-import',
  `update erasure set due_at = now() + interval '1 minute' where id = $1 and state = 'pending'`,
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
       subject = case when failures + 1 < $3 or $4 then subject end,
       subject_hash = case when failures + 1 < $3 or $4 then subject_hash end
   where id = $1 and state not in ('asked', 'done', 'failed', 'lapsed') returning state`,
);

/**
 * Performs the next erasure: accounts take turns, in each the one that has been due longest, those of visitors after all
 * others. Erases the person in one transaction, and counts for the receipt in the
 * next, which holds up nothing. A process that is killed in the first changes nothing, and the next one performs it; of one
 * that is killed in the second, another counts again. Undefined if none is due. Throws if PostgreSQL is unavailable; after
 * any other error the erasure is tried again later. One of a visitor whose rows are being imported waits for the import, a
 * day at most, and the next one is performed. `pool`: without a limit on the time of statements.
 */
export const performNextErasure = async (pool: Pool, tools: ErasureTools): Promise<ErasureStep | undefined> => {
  let taken: PendingErasure | undefined;
  let isErased = false;
  let isLeft = false;
  try {
    const due = await inTransaction(pool, async (on) => {
      taken = await take(on);
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
    if (error instanceof WaitsForImport) {
      await waitForImport(pool, [taken.id]);
      return performNextErasure(pool, tools);
    }
    const { id, accountId, askedBy } = taken;
    const [left] = await postpone(pool, [id, pauseMaxSeconds, failuresMax, isErased]);
    // another process has performed it meanwhile
    if (!left) return undefined;
    return { id, accountId, askedBy, outcome: left.state === 'failed' ? 'failed' : 'retry', error };
  }
};
