import { createHash } from 'node:crypto';
import { type PoolClient, type Pool, statement } from '@leadback/db';
import { type AccountMode, importBytesMax, Refusal } from '@leadback/domain';
import { announceFinished } from '../delivery/webhook-deliveries.ts';
import { CsvProblem, readCsv } from '../csv/read.ts';
import { keepOrRecallChoices } from './choices.ts';
import { countCells, type FileChoices, noCells, readingOf } from './reading.ts';
import { inTurn } from '../work-queue.ts';
import { abandonedAfter, hasBytes, hasRoom, requireRoom, type Room } from './dry-run.ts';
import { claimedId, columnsOf, type ImportSubject } from './subject.ts';

/** A person who sends a file; a partner with an API key has no name here. */
export interface FileSender {
  readonly createdBy?: string | undefined;
  readonly fileName?: string | undefined;
  /** Called in the transaction that begins to store the file. */
  readonly onBegun?: ((on: PoolClient, id: number) => Promise<void>) | undefined;
}

export interface NewImport extends AccountMode, FileSender {
  readonly subject: ImportSubject;
  /** Registers nothing. */
  readonly isDryRun: boolean;
  /** How the file is to be read, over what is found in it. */
  readonly choices?: FileChoices | undefined;
}

/**
 * SQL assignments for an `update import_row r` that empty a row, of which only its outcome stays. One that waits must not be
 * registered any more.
 */
export const emptiedRow = `
  cells = (select coalesce(jsonb_agg(''::text), '[]') from jsonb_array_elements(r.cells)), dry_run_reference = null,
  dry_run_event_id = null, outcome = coalesce(r.outcome, 'refused'),
  message = case when r.outcome is null then 'erased' else r.message end`;

/** Of a file that is imported or compared. */
export const fileLimits = { bytesMax: importBytesMax, rowsMax: 500_000, rowsPerSlice: 1_000, bytesPerSlice: 2 ** 20 };

const findRoom = statement<Room>(`select ${hasRoom} as "hasRoom", ${hasBytes} as "hasBytes"`);

const begin = statement<{ id: number }>(
  `insert into import (account_id, is_test, is_dry_run, subject, columns, delimiter, file_name, created_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   returning id`,
);

const add = statement<{ added: number }>(
  // with the lock, no row is added after the import was refused
  `with added as (
     insert into import_row (import_id, line, cells, record_id, outcome)
     select $1, r.* from unnest($2::int[], $3::jsonb[], $4::bigint[], $5::text[]) r (line, cells, record_id, outcome)
     where (select true from import where id = $1 and state = 'uploading' for share)
     returning 1
   )
   select count(*) as added from added`,
);

const finish = statement<{ id: number }>(
  `with stored as (
     update import
     set rows = $2, digest = $3, bytes = $4, reading = jsonb_set($5::jsonb, '{until}', to_jsonb(created_at)), state = case when $2 = 0 then 'done' else 'pending' end,
         finished_at = case when $2 = 0 then now() end
     where id = $1 and state = 'uploading'
     returning id, account_id, is_test, state, counts
   ), finished as (
     select * from stored where state = 'done'
   ), ${announceFinished('import')}
   select id from stored`,
);

// its rows are deleted later, see `cleanUpImports`; until then it is not finished
const refuse = statement(`update import set state = 'refused', message = $2 where id = $1 and state = 'uploading'`);

// refused while it was received
const tooLate = () => new Refusal('invalid-json.late');

export interface ReceivedFile {
  readonly id: number;
  /** Why the file was refused. */
  readonly problem: string | undefined;
}

const cutOff = 'the upload ended before the end of the file; send it again';

/**
 * Stores a CSV file or a workbook of clients or conversions slice by slice, which an api then registers. Throws a `CsvProblem` if the
 * header is wrong; then nothing was stored. A problem in a later line is returned. Passes on the failure of the stream or
 * of PostgreSQL; then the file is refused, if it can be. Throws `rate-limited` while ten files of the account and mode are
 * open, `invalid-fields` if those that are kept are too large together, and `invalid-json` if it takes 20 minutes.
 */
export const storeImport = async (
  pool: Pool,
  { isDryRun, subject, choices: given = {}, fileName, createdBy, onBegun, ...mode }: NewImport,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReceivedFile> => {
  const hash = createHash('sha256');
  let size = 0;
  async function* hashed() {
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  const { accountId, isTest } = mode;
  let choices = given;
  using file = await readCsv(hashed(), columnsOf[subject], fileLimits, {
    choices,
    remembered: async (names) => {
      choices = await keepOrRecallChoices(pool, { accountId, subject, names }, given);
      return choices;
    },
  });
  const { slices, columns, delimiter, kind } = file;
  const about = [accountId, isTest, isDryRun, subject, columns, delimiter, fileName ?? null, createdBy ?? null];
  const id = await inTurn(pool, 'import upload', mode, async (on) => {
    const [room] = await findRoom(on, [accountId, isTest]);
    requireRoom(room);
    const [row] = await begin(on, about);
    if (!row) throw new Error('the import was not stored');
    await onBegun?.(on, row.id);
    return row.id;
  });
  try {
    let stored = 0;
    let found = noCells;
    for await (const rows of slices) {
      for (const row of rows) found = countCells(found, row.cells, columns);
      const cells = rows.map((row) => JSON.stringify(row.cells));
      const ids = rows.map((one) => claimedId(subject, one) ?? null);
      const outcomes = rows.map(({ isUnpaid }) => (isUnpaid ? 'not_paid' : null));
      const [row] = await add(pool, [id, rows.map(({ line }) => line), cells, ids, outcomes]);
      if (row?.added !== rows.length) throw tooLate();
      stored += rows.length;
    }
    // rows of two sheets of one workbook are not the same
    if (file.sheets) hash.update(file.sheets.read);
    const [row] = await finish(pool, [id, stored, hash.digest(), size, readingOf(found, choices, kind)]);
    if (!row) throw tooLate();
    return { id, problem: undefined };
  } catch (error) {
    // if it is not certain that it was finished, this does not undo it
    const isProblem = error instanceof CsvProblem;
    const refused = refuse(pool, [id, isProblem ? error.message : cutOff]);
    if (!isProblem) {
      refused.catch(() => {}); // the first failure matters; what is left is removed later
      throw error;
    }
    await refused;
    return { id, problem: error.message };
  }
};

const refuseAbandoned = statement(
  `update import set state = 'refused', message = 'the upload was cut off; send the file again'
   where finished_at is null and state = 'uploading' and created_at < now() - interval '${abandonedAfter}'`,
);

/** Refuses uploads that ended without a trace, such as by a crash. */
const refuseAbandonedImports = async (pool: Pool): Promise<void> => {
  await refuseAbandoned(pool, []);
};

const rowsMax = 5_000;

const deleteRows = statement(
  `delete from import_row where ctid = any(array(select ctid from import_row where import_id = $1 limit ${rowsMax}))
   returning 1`,
);

/** Deletes up to 5,000 rows of an import. Returns whether there may be more. */
export const deleteImportRows = async (pool: Pool, importId: number): Promise<boolean> =>
  (await deleteRows(pool, [importId])).length === rowsMax;

const findRefused = statement<{ id: number }>(
  `select id from import where finished_at is null and state = 'refused' order by id limit 10`,
);

// another instance may be deleting the rest
const finishCleanUp = statement(
  `with finished as (
     update import set finished_at = now()
     where id = $1 and state = 'refused' and finished_at is null
       and not exists (select from import_row where import_id = $1)
     returning id, account_id, is_test, state, counts
   ), ${announceFinished('import')}
   select from finished`,
);

/** Refuses uploads that were abandoned, and deletes the rows of imports that were refused. */
export const cleanUpImports = async (pool: Pool): Promise<void> => {
  await refuseAbandonedImports(pool);
  for (const { id } of await findRefused(pool, [])) {
    while (await deleteImportRows(pool, id));
    await finishCleanUp(pool, [id]);
  }
};
