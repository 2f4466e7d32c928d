import type { AccountMode } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import { csvText } from '../csv/csv-text.ts';
import type { Delimiter } from '../csv/header.ts';
import { type ImportSubject, resultColumns } from './import-subject.ts';
import type { TooOld } from './too-old.ts';

export interface ImportRecord {
  readonly id: number;
  readonly of: ImportSubject;
  readonly isTest: boolean;
  readonly isDryRun: boolean;
  readonly state: 'uploading' | 'pending' | 'running' | 'done' | 'refused' | 'failed';
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  readonly rows: number;
  readonly done: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Of a dry run of conversions: how many of the created ones each platform of the account will skip for their age. */
  readonly tooOld: TooOld;
  readonly message: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const fields = `id, subject as of, is_test as "isTest", is_dry_run as "isDryRun", state, columns, delimiter, rows, done,
  counts, too_old as "tooOld", message, created_at as "createdAt", finished_at as "finishedAt"`;

const find = preparedStatement<ImportRecord>(
  'read-import',
  `select ${fields} from import where id = $1 and account_id = $2 and is_test = $3`,
);

export const findImport = async (
  pool: Pool,
  { accountId, isTest }: AccountMode,
  id: number,
): Promise<ImportRecord | undefined> => (await find(pool, [id, accountId, isTest]))[0];

const findAny = preparedStatement<ImportRecord>('read-any-import', `select ${fields} from import where id = $1`);

/** Finds an import of any account, for operators. */
export const findAnyImport = async (pool: Pool, id: number): Promise<ImportRecord | undefined> =>
  (await findAny(pool, [id]))[0];

// with `between`, only the index of the account has this order
const list = preparedStatement<ImportRecord>(
  'list-imports',
  `select ${fields} from import where account_id between $1 and $1 order by account_id desc, id desc limit $2`,
);

/** The newest imports of an account, live and test. */
export const listImports = (pool: Pool, accountId: number, limit: number): Promise<ImportRecord[]> =>
  list(pool, [accountId, limit]);

interface ResultRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly outcome: string | null;
  readonly record_id: number | null;
  readonly message: string | null;
}

const rowsPerPage = 1_000;
const bytesPerPage = 2 ** 20;

const readPage = preparedStatement<ResultRow>(
  'read-import-result',
  `select line, cells, outcome, record_id, message
   from (
     select *, sum(octet_length(cells::text)) over (order by line rows unbounded preceding) as bytes, row_number() over (order by line) as place
     from (
       select line, cells, outcome, case when outcome is not null then record_id end as record_id, message from import_row
       where import_id = $1 and line > $2 order by line limit ${rowsPerPage}
     ) next
   ) page
   where bytes <= ${bytesPerPage} or place = 1
   order by line`,
);

/** The result of an import as CSV, page by page: its rows as sent, each with its outcome so far. */
export async function* importResult(
  pool: Pool,
  { id, state, columns, delimiter }: Pick<ImportRecord, 'id' | 'state' | 'columns' | 'delimiter'>,
): AsyncGenerator<string> {
  yield csvText([[...columns, ...resultColumns]], { delimiter });
  if (state === 'refused') return; // its rows are being deleted
  for (let after = 0; ; ) {
    const rows = await readPage(pool, [id, after]);
    const last = rows.at(-1);
    if (!last) return;
    yield csvText(
      rows.map(({ cells, outcome, record_id: recordId, message }) => [...cells, outcome, recordId, message]),
      { delimiter },
    );
    after = last.line;
  }
}
