import {
  type ReconciliationStep,
  type Currency,
  type PlatformName,
  type ReconciliationMeasure,
  type ReconciliationOutcome,
  csvRows,
} from '@leadback/domain';
import { statement, type ContactCipher, type Queryable } from '@leadback/db';
import type { AnyMode } from '../imports/read.ts';
import {
  countsSchema,
  type ReconciliationCounts,
  type ReconciliationMoney,
  reconciliationMoneySchema,
  type Replay,
  replaySchema,
} from './state.ts';
import { amountNow, type StoredEmail, storedEmail, withEmail, withOutcome } from './rows.ts';
import { listColumnNames, rowResultColumns } from './create.ts';

export interface ReplayProgress extends Omit<Replay, 'todo' | 'after' | 'hasFailed'> {
  readonly state: 'running' | 'done' | 'failed';
}

export interface ReconciliationRecord {
  readonly id: number;
  readonly isTest: boolean;
  /** done: the comparison, whatever a replay still does. failed: its next rows failed again and again. */
  readonly state: 'pending' | 'running' | 'done' | 'failed';
  readonly from: Date;
  readonly until: Date;
  readonly rows: number;
  /** Rows of the list that have been compared. */
  readonly done: number;
  readonly counts: ReconciliationCounts;
  readonly money: ReconciliationMoney;
  readonly replay: ReplayProgress | null;
  readonly fileName: string | null;
  /** Null: a partner, with an API key. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

interface Row extends Omit<ReconciliationRecord, 'state' | 'counts' | 'money' | 'replay'> {
  step: Exclude<ReconciliationStep, 'receive'> | null;
  isFailed: boolean;
  counts: unknown;
  money: unknown;
  replay: unknown;
}

const reconciliationColumns = `id, is_test as "isTest", step, is_failed as "isFailed", from_at as "from", until_at as until, rows,
  compared as done, counts, money, replay, file_name as "fileName", created_by as "createdBy",
  created_at as "createdAt", finished_at as "finishedAt"`;

const readOne = statement<Row>(
  `select ${reconciliationColumns} from reconciliation
   where id = $1 and account_id = $2 and ($3::boolean is null or is_test = $3) and step is distinct from 'receive'`,
);

const list = statement<Row>(
  `select ${reconciliationColumns} from reconciliation
   where account_id = $1 and id < $3 and step is distinct from 'receive' order by id desc limit $2`,
);

const stateOf = ({ step, isFailed, done }: Pick<Row, 'step' | 'isFailed' | 'done'>): ReconciliationRecord['state'] => {
  if (isFailed) return 'failed';
  if (step === null || step === 'replay') return 'done';
  return step === 'compare' && done === 0 ? 'pending' : 'running';
};

const replayOf = (stored: unknown, isRunning: boolean): ReplayProgress | null => {
  if (stored === null) return null;
  const { hasFailed, ...replay } = replaySchema.parse(stored);
  const ended = hasFailed ? 'failed' : 'done';
  return { ...replay, state: isRunning ? 'running' : ended };
};

const recordOf = ({ step, isFailed, counts, money, replay, ...same }: Row): ReconciliationRecord => ({
  ...same,
  state: stateOf({ step, isFailed, done: same.done }),
  counts: countsSchema.parse(counts),
  money: reconciliationMoneySchema.parse(money),
  replay: replayOf(replay, step === 'replay'),
});

/** Undefined if the account has no such reconciliation in this mode, or its list has not arrived whole. */
export const findReconciliation = async (
  on: Queryable,
  { accountId, isTest }: AnyMode,
  id: number,
): Promise<ReconciliationRecord | undefined> => {
  const [row] = await readOne(on, [id, accountId, isTest ?? null]);
  return row && recordOf(row);
};

/** The newest reconciliations of an account, live and test; `before`: only those with a smaller id. */
export const listReconciliations = async (
  on: Queryable,
  accountId: number,
  { limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number | undefined },
): Promise<ReconciliationRecord[]> => (await list(on, [accountId, limit, before])).map(recordOf);

export interface ReconciliationRowRecord {
  readonly number: number;
  /** Null: it is not compared yet. */
  readonly outcome: ReconciliationOutcome | null;
  readonly conversionExternalReference: string | null;
  /** As in the list; of a conversion that is not in the list, as registered. Exact decimal with those of its currency. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** What the list names the client by, unless the person was erased. */
  readonly clientExternalReference: string | null;
  readonly email: string | null;
  readonly occurredAt: Date | null;
  readonly conversionId: number | null;
  /** Of the conversion, now. */
  readonly registeredAmount: string | null;
  readonly registeredCurrency: Currency | null;
  readonly undelivered: readonly PlatformName[];
  readonly message: string | null;
}

interface RowsQuestion {
  readonly accountId: number;
  readonly id: number;
  /** Default: all rows. */
  readonly outcome?: ReconciliationMeasure | undefined;
  /** The number of the last row of the page before. */
  readonly after: number;
  readonly limit: number;
}

type StoredRecord = Omit<ReconciliationRowRecord, 'email'> & StoredEmail;

const reading = (condition: string) =>
  statement<StoredRecord>(
    `select r.number, r.outcome, r.external_reference as "conversionExternalReference", r.amount, r.currency,
            r.client_external_reference as "clientExternalReference", ${storedEmail}, r.occurred_at as "occurredAt",
            r.conversion_id as "conversionId", ${amountNow} as "registeredAmount", v.currency as "registeredCurrency",
            r.undelivered, r.message
     from reconciliation_row r left join conversion v on v.id = r.conversion_id and v.account_id = r.account_id
     where ${condition} and r.account_id = $2 and r.number > $3 order by r.number limit $4`,
  );

const readAny = reading('r.reconciliation_id = $1');
const readUndelivered = reading('r.undelivered_in = $1');
const readOutcome = reading(withOutcome('$5'));

const readStored = (on: Queryable, { accountId, id, outcome, after, limit }: RowsQuestion): Promise<StoredRecord[]> => {
  const values = [id, accountId, after, limit];
  if (outcome === undefined) return readAny(on, values);
  return outcome === 'undelivered' ? readUndelivered(on, values) : readOutcome(on, [...values, outcome]);
};

/** Returns rows in the order of the list. The reconciliation must be one of the account and mode. */
export const readReconciliationRows = async (
  on: Queryable,
  contacts: ContactCipher,
  question: RowsQuestion,
): Promise<readonly ReconciliationRowRecord[]> => {
  const rows = await readStored(on, question);
  return rows.map((row) => withEmail(contacts, question, row));
};

const rowsMax = 1_000;

type WholeQuestion = Pick<RowsQuestion, 'accountId' | 'id' | 'outcome'>;

/** Reads rows page by page, in the order of the list. */
export async function* allReconciliationRows(
  on: Queryable,
  contacts: ContactCipher,
  question: WholeQuestion,
): AsyncGenerator<readonly ReconciliationRowRecord[]> {
  for (let after = 0; ; ) {
    const rows = await readReconciliationRows(on, contacts, { ...question, after, limit: rowsMax });
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < rowsMax) return;
    after = last.number;
  }
}

/** Returns rows as CSV, part by part. Without the columns of the result, it is a list again. */
export async function* reconciliationFile(
  on: Queryable,
  contacts: ContactCipher,
  question: WholeQuestion,
): AsyncGenerator<string> {
  const columns = [...listColumnNames, ...rowResultColumns];
  yield csvRows([columns]);
  for await (const rows of allReconciliationRows(on, contacts, question)) {
    yield csvRows(rows.map((row) => columns.map((name) => (name === 'undelivered' ? row[name].join(' ') : row[name]))));
  }
}
