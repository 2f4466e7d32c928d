import { type AccountMode, csvRows } from '@leadback/domain';
import type { Contacts, Pool } from '@leadback/db';
import { listColumnNames } from './listed-conversion.ts';
import { rowResultColumns } from './listed-file.ts';
import { type ReconciliationRowRecord, type RowsQuestion, rowsReader } from './read-rows.ts';

const rowsMax = 1_000;

type WholeQuestion = Pick<RowsQuestion, 'id' | 'outcome'>;

/** Reads rows page by page, in the order of the list. */
export async function* allRows(
  pool: Pool,
  mode: AccountMode,
  question: WholeQuestion,
  contacts: Contacts,
): AsyncGenerator<readonly ReconciliationRowRecord[]> {
  const read = rowsReader(pool, contacts);
  for (let after = 0; ; ) {
    const rows = await read(mode, { ...question, after, limit: rowsMax });
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < rowsMax) return;
    after = last.number;
  }
}

/** Returns rows as CSV, part by part. Without the columns of the result, it is a list again. */
export type RowsFile = (mode: AccountMode, question: WholeQuestion) => AsyncIterable<string>;

export const rowsFile = (pool: Pool, contacts: Contacts): RowsFile =>
  async function* parts(mode, question) {
    const columns = [...listColumnNames, ...rowResultColumns];
    yield csvRows([columns]);
    for await (const rows of allRows(pool, mode, question, contacts)) {
      yield csvRows(
        rows.map((row) => columns.map((name) => (name === 'undelivered' ? row[name].join(' ') : row[name]))),
      );
    }
  };
