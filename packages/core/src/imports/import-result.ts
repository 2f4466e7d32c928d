import { type Pool, preparedStatement } from '@leadback/db';
import { csvRows } from '@leadback/domain';
import { resultColumns } from './import-subject.ts';
import type { ImportRecord } from './read-import.ts';

interface ResultRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly outcome: string | null;
  readonly record_id: number | null;
  readonly message: string | null;
}

const rowsPerPage = 1_000;
const bytesPerPage = 2 ** 20;

const pageOf = (condition: string) => `
  select line, cells, outcome, record_id, message
  from (
    select *, sum(octet_length(cells::text)) over (order by line rows unbounded preceding) as bytes, row_number() over (order by line) as place
    from (
      select line, cells, outcome, case when outcome is not null then record_id end as record_id, message from import_row
      where ${condition} and line > $2 order by line limit ${rowsPerPage}
    ) next
  ) page
  where bytes <= ${bytesPerPage} or place = 1
  order by line`;

const readAll = preparedStatement<ResultRow>('read-import-result', pageOf('import_id = $1'));

/** SQL: the rows of the import $1 with an outcome that have a message. Fits one index alone. */
export const withMessage = (outcome: string): string =>
  `outcome = ${outcome} and import_id + 0 = $1 and message is not null`;

const readSome = preparedStatement<ResultRow>('read-import-result-of-outcome', pageOf(withMessage('$3')));

/** Of a row whose message says what is wrong, or what a platform will not take. */
export const toldOutcomes = ['refused', 'differs', 'created'] as const;
export type ToldOutcome = (typeof toldOutcomes)[number];

/**
 * The result of an import as CSV, page by page: its rows as sent, each with its outcome so far. `told`: only rows with
 * this outcome that have a message.
 */
export async function* importResult(
  pool: Pool,
  { id, state, columns, delimiter }: Pick<ImportRecord, 'id' | 'state' | 'columns' | 'delimiter'>,
  told?: ToldOutcome,
): AsyncGenerator<string> {
  yield csvRows([[...columns, ...resultColumns]], delimiter);
  if (state === 'refused') return; // its rows are being deleted
  for (let after = 0; ; ) {
    const rows = told === undefined ? await readAll(pool, [id, after]) : await readSome(pool, [id, after, told]);
    const last = rows.at(-1);
    if (!last) return;
    yield csvRows(
      rows.map(({ cells, outcome, record_id: recordId, message }) => [...cells, outcome, recordId, message]),
      delimiter,
    );
    after = last.line;
  }
}
