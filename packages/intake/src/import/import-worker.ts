import { finishedWork, toldToWebhooks } from '@leadback/delivery/tell-webhooks';
import {
  type Pool,
  inTransaction,
  isDataError,
  isStatementTimeout,
  type PoolClient,
  preparedStatement,
} from '@leadback/db';
import type { NewParcel } from '@leadback/delivery/enqueue';
import type { ImportSubject } from './import-subject.ts';
import type { OpenImport } from './open-import.ts';
import { type ClosedRow, type OpenRow, type RegisterItems, registerSlice } from './register-slice.ts';

interface PickedImport extends OpenImport {
  readonly rows: number;
  readonly done: number;
  readonly lastLine: number;
  readonly counts: Readonly<Record<string, number>>;
}

type Place = Pick<PickedImport, 'id' | 'lastLine'>;

/** What was committed. */
export interface ImportStep extends Pick<OpenImport, 'id' | 'subject' | 'isTest' | 'isDryRun'> {
  /** The rows that have an outcome now. */
  readonly rows: readonly ClosedRow[];
  /** To be announced. */
  readonly parcels: readonly NewParcel[];
  /** Whether all rows of the import have an outcome. */
  readonly isFinished: boolean;
}

// A larger slice holds its locks for longer and saves little, see docs/performance.md.
const rowsPerSlice = 200;

// Of an account and mode, only the oldest import is worked on: orders may need the clients of the file before, and what
// one of two uploads of a file registers, the other must find. The lock is for an older upload that ends meanwhile.
const pick = preparedStatement<PickedImport>(
  'pick-oldest-import',
  `select id, account_id as "accountId", is_test as "isTest", is_dry_run as "isDryRun", subject, columns, delimiter, digest,
          rows, done, last_line as "lastLine", counts
   from import i
   where finished_at is null and id > $1 and state in ('pending', 'running')
     and case when (select status from account where id = i.account_id) <> 'active' then false
              when exists (
                select from import older
                where older.finished_at is null and older.id > 0 and older.id < i.id
                  and older.account_id = i.account_id and older.is_test = i.is_test and older.state in ('pending', 'running')
              ) then false
              else pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', 'import', account_id, is_test), 31)) end
   order by id limit 1 for update skip locked`,
);

const readRows = preparedStatement<OpenRow & { outcome: string | null }>(
  'read-rows-to-import',
  `select line, cells, record_id as "claimedId", outcome from import_row
   where import_id = $1 and line > $2 order by line limit $3`,
);

// the range of lines bounds every plan
const closeRows = preparedStatement(
  'close-import-rows',
  `update import_row r
   set outcome = o.outcome, record_id = o.record_id, message = o.message, trial_reference = o.trial_reference
   from unnest($4::int[], $5::text[], $6::bigint[], $7::text[], $8::text[]) o (line, outcome, record_id, message, trial_reference)
   where r.import_id = $1 and r.line between $2 and $3 and r.line = o.line`,
);

const proceed = preparedStatement(
  'proceed-with-import',
  `with proceeded as (
     update import
     set done = $2, last_line = $3, counts = $4, state = case when $5 then 'done' else 'running' end,
         finished_at = case when $5 then now() end
     where id = $1
     returning id, account_id, is_test, state, counts
   ), finished as (
     select * from proceeded where state = 'done'
   ), ${toldToWebhooks('select account_id from finished', finishedWork('finished', 'import'))}
   select from proceeded`,
);

const close = (on: PoolClient, id: number, rows: readonly ClosedRow[], [first, last]: readonly [number, number]) =>
  closeRows(on, [
    id,
    first,
    last,
    rows.map(({ line }) => line),
    rows.map(({ outcome }) => outcome),
    rows.map((row) => row.id ?? null),
    rows.map(({ message }) => message ?? null),
    rows.map(({ trialReference }) => trialReference ?? null),
  ]);

const counted = (
  counts: Readonly<Record<string, number>>,
  rows: readonly { outcome: string }[],
): Record<string, number> => {
  const sums: Record<string, number> = { ...counts };
  for (const { outcome } of rows) sums[outcome] = (sums[outcome] ?? 0) + 1;
  return sums;
};

const workOn = async (
  on: PoolClient,
  about: PickedImport,
  rowsMax: number,
  register: RegisterItems,
): Promise<ImportStep> => {
  const { id, subject, isTest, isDryRun, lastLine } = about;
  const found = await readRows(on, [id, lastLine, rowsMax]);
  const [first, last] = [found[0]?.line ?? lastLine, found.at(-1)?.line ?? lastLine];
  const open = found.filter(({ outcome }) => outcome === null);
  // by an erasure
  const closed = found.flatMap(({ outcome }) => (outcome === null ? [] : [{ outcome }]));
  const { rows, parcels } =
    open.length === 0 ? { rows: [], parcels: [] } : await registerSlice(on, about, open, register);
  await close(on, id, rows, [first, last]);
  const done = about.done + found.length;
  const isFinished = found.length === 0 || done >= about.rows;
  await proceed(on, [id, done, last, counted(about.counts, [...rows, ...closed]), isFinished]);
  return { id, subject, isTest, isDryRun, rows, parcels, isFinished };
};

const refuseAll: RegisterItems = (_on, _mode, items) =>
  Promise.resolve({
    outcomes: items.map(() => ({ outcome: 'refused', message: 'internal error; give support the id of the import' })),
    parcels: [],
  });

/**
 * Returns a function that registers the next rows of an open import, in one transaction with their outcomes: after a
 * crash, another worker goes on where the last commit ended. Workers take imports of different accounts; each worker takes
 * turns with those that it finds. Returns undefined if no import can be worked on now.
 */
export const importWorker = (
  pool: Pool,
  register: Readonly<Record<ImportSubject, RegisterItems>>,
): (() => Promise<ImportStep | undefined>) => {
  // the import that was picked last, also if it failed: the others must not wait for it
  let lastId = 0;

  // where it was when it was picked
  let place: Place | undefined;

  const step = (after: number, rowsMax: number, poisoned?: Place): Promise<ImportStep | undefined> =>
    inTransaction(pool, async (on) => {
      place = undefined;
      const [about] = await pick(on, [after]);
      lastId = about?.id ?? 0;
      place = about;
      if (!about) return undefined;
      // another instance may have taken the import meanwhile: then the row that is next is a good one
      const isPoisoned = poisoned?.id === about.id && poisoned.lastLine === about.lastLine;
      return workOn(on, about, isPoisoned ? 1 : rowsMax, isPoisoned ? refuseAll : register[about.subject]);
    });

  /** Halves the slice until a row that fails is alone, and refuses that row. */
  const stepAfter = async (after: number): Promise<ImportStep | undefined> => {
    for (let rowsMax = rowsPerSlice; ; rowsMax = Math.floor(rowsMax / 2)) {
      try {
        return await step(after, rowsMax);
      } catch (error) {
        if (rowsMax > 1 && (isDataError(error) || isStatementTimeout(error))) continue;
        if (!isDataError(error)) throw error;
        return await step(after, rowsMax, place);
      }
    }
  };

  return async () => {
    const after = lastId;
    return (await stepAfter(after)) ?? (after === 0 ? undefined : await stepAfter(0));
  };
};
