import { type Pool, type PoolClient, preparedStatement } from '@leadback/db';
import { toldOfFinished } from '../delivery/tell-webhooks.ts';
import { isLastTry, pauseAfterFailure } from '../bounded-tries.ts';
import type { ImportTally } from './import-tally.ts';
import type { OpenImport } from './open-import.ts';
import type { ClosedRow, OpenRow } from './register-slice.ts';

/** An import whose next rows a transaction registers. */
export interface PickedImport extends OpenImport {
  readonly rows: number;
  readonly done: number;
  readonly lastLine: number;
  readonly counts: Readonly<Record<string, number>>;
}

// Of an account and mode, only the oldest import is worked on: orders may need the clients of the file before, and what
// one of two uploads of a file registers, the other must find. The lock is for an older upload that ends meanwhile.
const pick = preparedStatement<PickedImport>(
  'pick-oldest-import',
  `select id, account_id as "accountId", is_test as "isTest", is_dry_run as "isDryRun", subject, columns, delimiter, digest,
          rows, done, last_line as "lastLine", counts, too_old as "tooOld", money, unshared,
          email_references as "emailReferences", now() as at
   from import i
   where finished_at is null and id > $1 and state in ('pending', 'running')
     and case when (select status from account where id = i.account_id) <> 'active' then false
              when retry_at > now() then false
              when exists (
                select from import older
                where older.finished_at is null and older.id > 0 and older.id < i.id
                  and older.account_id = i.account_id and older.is_test = i.is_test and older.state in ('pending', 'running')
              ) then false
              else pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', 'import', account_id, is_test), 31)) end
   order by id limit 1 for update skip locked`,
);

/** Locks the next import after an id that can be worked on. */
export const pickImport = async (on: PoolClient, afterId: number): Promise<PickedImport | undefined> =>
  (await pick(on, [afterId]))[0];

const readNext = preparedStatement<OpenRow & { outcome: string | null }>(
  'read-rows-to-import',
  `select line, cells, record_id as "claimedId", outcome from import_row
   where import_id = $1 and line > $2 order by line limit $3`,
);

// the range of lines bounds every plan
const closeRows = preparedStatement(
  'close-import-rows',
  `update import_row r
   set outcome = o.outcome, record_id = o.record_id, message = o.message, trial_reference = o.trial_reference,
       trial_event_id = o.trial_event_id
   from unnest($4::int[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[])
     o (line, outcome, record_id, message, trial_reference, trial_event_id)
   where r.import_id = $1 and r.line between $2 and $3 and r.line = o.line`,
);

/** The next rows. Those that were erased have an outcome. */
export const readRows = (on: PoolClient, { id, lastLine }: PickedImport, rowsMax: number) =>
  readNext(on, [id, lastLine, rowsMax]);

/** Saves the outcomes of rows that are in this range of lines. */
export const saveOutcomes = (
  on: PoolClient,
  { id }: PickedImport,
  rows: readonly ClosedRow[],
  { first, last }: { readonly first: number; readonly last: number },
): Promise<unknown> =>
  closeRows(on, [
    id,
    first,
    last,
    rows.map(({ line }) => line),
    rows.map(({ outcome }) => outcome),
    rows.map((row) => row.id ?? null),
    rows.map(({ message }) => message ?? null),
    rows.map(({ trialReference }) => trialReference ?? null),
    rows.map(({ trialEventId }) => trialEventId ?? null),
  ]);

const proceed = preparedStatement(
  'proceed-with-import',
  `with proceeded as (
     update import
     set done = $2, last_line = $3, counts = $4, state = case when $5 then 'done' else 'running' end,
         finished_at = case when $5 then now() end, too_old = $6, money = $7, unshared = $8, email_references = $9, failures = 0, retry_at = null
     where id = $1
     returning id, account_id, is_test, state, counts
   ), finished as (
     select * from proceeded where state = 'done'
   ), ${toldOfFinished('import')}
   select from proceeded`,
);

interface Progress extends Pick<PickedImport, 'done' | 'lastLine' | 'counts'> {
  readonly isFinished: boolean;
  readonly tally: ImportTally;
}

export const saveProgress = (on: PoolClient, { id }: PickedImport, progress: Progress): Promise<unknown> => {
  const { done, lastLine, counts, isFinished, tally } = progress;
  const { tooOld, money, unshared, emailReferences } = tally;
  return proceed(on, [id, done, lastLine, counts, isFinished, tooOld, money, unshared, emailReferences]);
};

const failedMessage = 'internal error; rows without an outcome are not registered; give support the id of the import';

const noteFailure = preparedStatement<{ is_over: boolean }>(
  'note-failure-of-import',
  `with noted as (
     update import
     set failures = failures + 1, retry_at = now() + ${pauseAfterFailure},
         state = case when ${isLastTry} then 'failed' else state end,
         message = case when ${isLastTry} then $3 else message end,
         finished_at = case when ${isLastTry} then now() end
     where id = $1 and last_line = $2 and finished_at is null
     returning id, account_id, is_test, state, counts, finished_at is not null as is_over
   ), finished as (
     select * from noted where is_over
   ), ${toldOfFinished('import')}
   select is_over from noted`,
);

/**
 * Notes that the next rows have failed: they wait, longer each time, and after the last time the import has failed.
 * Returns whether it has.
 */
export const noteImportFailure = async (pool: Pool, { id, lastLine }: PickedImport): Promise<boolean> => {
  const [noted] = await noteFailure(pool, [id, lastLine, failedMessage]);
  return noted?.is_over === true;
};
