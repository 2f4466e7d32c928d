import { type AccountMode, Refusal } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import type { CsvRow } from '../csv/read-csv.ts';
import { type FileStore, type ReceivedFile, receiveFile } from '../csv/receive-file.ts';
import { columnsOf, type ImportSubject } from './import-subject.ts';

export interface NewImport extends AccountMode {
  readonly subject: ImportSubject;
  /** Registers nothing. */
  readonly isDryRun: boolean;
}

const limits = { bytesMax: 50 * 2 ** 20, rowsMax: 500_000, rowsPerSlice: 1_000 };
const openMax = 10;
const rowsPerDelete = 5_000;

const begin = preparedStatement<{ id: number }>(
  'begin-import',
  `insert into import (account_id, is_test, is_dry_run, subject, columns, delimiter)
   select $1, $2, $3, $4, $5, $6
   where (
     select count(*) from import
     where finished_at is null and id > 0 and account_id = $1 and is_test = $2
   ) < ${openMax}
   returning id`,
);

const add = preparedStatement<{ added: number }>(
  'add-import-rows',
  `with added as (
     insert into import_row (import_id, line, cells)
     select $1, r.line, r.cells from unnest($2::int[], $3::jsonb[]) r (line, cells)
     where (select true from import where id = $1 and state = 'uploading')
     returning 1
   )
   select count(*) as added from added`,
);

const finish = preparedStatement<{ id: number }>(
  'finish-upload',
  `update import
   set rows = $2, digest = $3, state = case when $2 = 0 then 'done' else 'pending' end,
       finished_at = case when $2 = 0 then now() end
   where id = $1 and state = 'uploading'
   returning id`,
);

const refuse = preparedStatement(
  'refuse-upload',
  `update import set state = 'refused', message = $2, finished_at = now() where id = $1 and state = 'uploading'`,
);

const removeRows = preparedStatement(
  'remove-import-rows',
  `delete from import_row
   where ctid = any(array(select ctid from import_row where import_id = $1 limit ${rowsPerDelete}))
   returning 1`,
);

const gone = () => new Error('the import was refused while it was received');

/** Removes the rows first: after a crash in between, the import is still one that was cut off. */
const refuseUpload = async (pool: Pool, id: number, message: string): Promise<void> => {
  while ((await removeRows(pool, [id])).length === rowsPerDelete);
  await refuse(pool, [id, message]);
};

const storeOf = (pool: Pool, { accountId, isTest, isDryRun, subject }: NewImport): FileStore => ({
  async begin({ columns, delimiter }) {
    const [row] = await begin(pool, [accountId, isTest, isDryRun, subject, columns, delimiter]);
    if (!row) throw new Refusal('rate-limited.imports');
    return row.id;
  },
  async add(id, rows: readonly CsvRow[]) {
    const cells = rows.map((row) => JSON.stringify(row.cells));
    const [row] = await add(pool, [id, rows.map(({ line }) => line), cells]);
    if (row?.added !== rows.length) throw gone();
  },
  async finish(id, { digest, rows }) {
    const [row] = await finish(pool, [id, rows, digest]);
    if (!row) throw gone();
  },
  refuse: (id, message) => refuseUpload(pool, id, message),
});

/**
 * Stores a CSV file of clients or conversions, which an api then registers. Throws a `CsvProblem` if the header is
 * wrong, and `rate-limited` while ten files of the account and mode are open.
 */
export const storeImport = (pool: Pool, about: NewImport, bytes: AsyncIterable<Uint8Array>): Promise<ReceivedFile> =>
  receiveFile(bytes, columnsOf[about.subject], limits, storeOf(pool, about));

// longer than any upload
const abandonedAfter = '1 hour';

const findAbandoned = preparedStatement<{ id: number }>(
  'find-abandoned-imports',
  `select id from import
   where finished_at is null and id > 0 and state = 'uploading' and created_at < now() - $1::interval
   order by id limit 10`,
);

/** Refuses uploads that ended without a trace, such as by a crash. */
export const refuseAbandonedImports = async (pool: Pool): Promise<void> => {
  for (const { id } of await findAbandoned(pool, [abandonedAfter])) {
    await refuseUpload(pool, id, 'the upload was cut off; send the file again');
  }
};
