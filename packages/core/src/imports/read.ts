import { type AccountMode, type Delimiter, csvRows } from '@leadback/domain';
import { statement, type Queryable } from '@leadback/db';
import { type ImportSubject, resultColumns, referenceColumnOf, columnsOf, type ImportTally } from './subject.ts';
import { registrationOf } from './dry-run.ts';
import { type Reading, resultCells } from './reading.ts';

export interface ImportRecord extends ImportTally {
  readonly id: number;
  readonly of: ImportSubject;
  readonly isTest: boolean;
  readonly isDryRun: boolean;
  readonly state: 'uploading' | 'pending' | 'running' | 'done' | 'refused' | 'failed';
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  readonly reading: Reading;
  readonly rows: number;
  readonly done: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly fileName: string | null;
  /** Null: a partner, with an API key. */
  readonly createdBy: string | null;
  /** The dry run whose rows these are. */
  readonly dryRunId: number | null;
  /** Of a dry run: the import that registered its rows, unless that has failed. */
  readonly registeredAs: number | null;
  readonly message: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const fields = `id, subject as of, is_test as "isTest", is_dry_run as "isDryRun", state, columns, delimiter, reading, rows, done,
  counts, too_old as "tooOld", money, unshared, email_references as "emailReferences", file_name as "fileName", created_by as "createdBy", dry_run_id as "dryRunId",
  message, created_at as "createdAt", finished_at as "finishedAt",
  ${registrationOf('import.id')} as "registeredAs"`;

/** Without a mode: live and test. */
export type AnyMode = Pick<AccountMode, 'accountId'> & Partial<AccountMode>;

const find = statement<ImportRecord>(
  `select ${fields} from import where id = $1 and account_id = $2 and ($3::boolean is null or is_test = $3)`,
);

export const findImport = async (
  on: Queryable,
  { accountId, isTest }: AnyMode,
  id: number,
): Promise<ImportRecord | undefined> => (await find(on, [id, accountId, isTest ?? null]))[0];

const findAny = statement<ImportRecord>(`select ${fields} from import where id = $1`);

/** Finds an import of any account, for operators. */
export const findAnyImport = async (on: Queryable, id: number): Promise<ImportRecord | undefined> =>
  (await findAny(on, [id]))[0];

const list = statement<ImportRecord>(
  `select ${fields} from import where account_id = $1 and id < $3 order by id desc limit $2`,
);

/** The newest imports of an account, live and test; `before`: only those with a smaller id. */
export const listImports = (
  on: Queryable,
  accountId: number,
  { limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number | undefined },
): Promise<ImportRecord[]> => list(on, [accountId, limit, before]);

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

const readAll = statement<ResultRow>(pageOf('import_id = $1'));

/** SQL: the rows of the import $1 with an outcome that have a message. Fits one index alone. */
const withMessage = (outcome: string): string => `outcome = ${outcome} and import_id + 0 = $1 and message is not null`;

const readSome = statement<ResultRow>(pageOf(withMessage('$3')));

/** Of a row whose message says what is wrong, or what a platform will not take. */
export const listedOutcomes = ['refused', 'differs', 'not_from_an_ad', 'created'] as const;
export type ListedOutcome = (typeof listedOutcomes)[number];

/**
 * The result of an import as CSV, page by page: its rows as sent, each with its outcome so far. `told`: only rows with
 * this outcome that have a message.
 */
export async function* importResult(
  on: Queryable,
  { id, state, columns, delimiter, reading }: Pick<ImportRecord, 'id' | 'state' | 'columns' | 'delimiter' | 'reading'>,
  told?: ListedOutcome,
): AsyncGenerator<string> {
  yield csvRows([[...columns, ...resultColumns]], delimiter);
  if (state === 'refused') return; // its rows are being deleted
  for (let after = 0; ; ) {
    const rows = told === undefined ? await readAll(on, [id, after]) : await readSome(on, [id, after, told]);
    const last = rows.at(-1);
    if (!last) return;
    yield csvRows(
      rows.map(({ cells, outcome, record_id: recordId, message }) => [
        ...resultCells(cells, { columns, reading }),
        outcome,
        recordId,
        message,
      ]),
      delimiter,
    );
    after = last.line;
  }
}

/** A row of which there is something to say. */
export interface ListedRow {
  readonly line: number;
  /** The partner's own reference of the client or conversion; null: none, or its person was erased. */
  readonly reference: string | null;
  readonly message: string;
}

const read = statement<ListedRow>(
  `select line, nullif(btrim(cells ->> $5::int), '') as reference, message
   from import_row where ${withMessage('$2')} and line > $3 order by line limit $4`,
);

const placeOf = (columns: readonly string[], subject: ImportSubject): number | null => {
  const place = columns.indexOf(referenceColumnOf[subject]);
  return place === -1 ? null : place;
};

/** Reads rows with an outcome and a message in the order of the file, without personal data. */
export const readResultRows = (
  on: Queryable,
  { id, of, columns }: Pick<ImportRecord, 'id' | 'of' | 'columns'>,
  { outcome, after, limit }: { readonly outcome: ListedOutcome; readonly after: number; readonly limit: number },
): Promise<ListedRow[]> => read(on, [id, outcome, after, limit, placeOf(columns, of)]);

const values: Readonly<Record<string, string>> = {
  amount: '149.90',
  currency: 'USD',
  clientExternalReference: 'customer-1042',
  conversionExternalReference: 'order-8731',
  occurredAt: '2026-11-21T09:30:00-03:00',
  externalReference: 'customer-1042',
};

/** A file with all columns that an import may have, the required ones first, and a row as an example. */
export const importTemplate = (subject: ImportSubject): string => {
  const { known, required, requiredAny = [] } = columnsOf[subject];
  const first = [...required, ...requiredAny];
  const columns = [...first, ...known.filter((name) => !first.includes(name))];
  return csvRows([columns, columns.map((name) => values[name] ?? '')]);
};
