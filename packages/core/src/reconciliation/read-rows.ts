import type {
  AccountMode,
  Currency,
  PlatformName,
  ReconciliationMeasure,
  ReconciliationOutcome,
} from '@leadback/domain';
import { type Contacts, type Pool, preparedStatement } from '@leadback/db';
import { amountNow } from './conversion-now.ts';
import { type StoredEmail, storedEmail, withEmail } from './row-email.ts';
import { allRowsPage, rowPage, rowsOfPage, undelivered, withOutcome } from './row-page.ts';

export interface ReconciliationRowRecord {
  readonly number: number;
  /** Null: it is not compared yet. */
  readonly outcome: ReconciliationOutcome | null;
  readonly conversionExternalReference: string | null;
  /** As in the list; of a conversion that is not in the list, as registered. Exact decimal with two places. */
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

export interface RowsQuestion {
  readonly id: number;
  /** Default: all rows. */
  readonly outcome?: ReconciliationMeasure | undefined;
  /** The number of the last row of the page before. */
  readonly after: number;
  readonly limit: number;
}

type StoredRecord = Omit<ReconciliationRowRecord, 'email'> & StoredEmail;

const reading = (name: string, page: string) =>
  preparedStatement<StoredRecord>(
    `read-reconciliation-rows-${name}`,
    `with recursive ${page}
     select r.number, r.outcome, r.external_reference as "conversionExternalReference", r.amount, r.currency,
            r.client_external_reference as "clientExternalReference", ${storedEmail}, r.occurred_at as "occurredAt", r.conversion_id as "conversionId", found.amount as "registeredAmount",
            found.currency as "registeredCurrency", r.undelivered, r.message
     from ${rowsOfPage}
     left join lateral (
       select ${amountNow} as amount, v.currency from conversion v
       where v.id = r.conversion_id and v.account_id + 0 = $2 limit 1
     ) found on true
     order by r.number`,
  );

const readAny = reading('all', allRowsPage);
const readUndelivered = reading('undelivered', rowPage(undelivered));
const readOutcome = reading('outcome', rowPage(withOutcome('$5')));

/** Returns rows in the order of the list. The reconciliation must be one of the account and mode. */
export type RowsReader = (
  mode: Pick<AccountMode, 'accountId'>,
  question: RowsQuestion,
) => Promise<readonly ReconciliationRowRecord[]>;

const readStored = (
  pool: Pool,
  { accountId }: Pick<AccountMode, 'accountId'>,
  { id, outcome, after, limit }: RowsQuestion,
): Promise<StoredRecord[]> => {
  const values = [id, accountId, after, limit];
  if (outcome === undefined) return readAny(pool, values);
  return outcome === 'undelivered' ? readUndelivered(pool, values) : readOutcome(pool, [...values, outcome]);
};

export const rowsReader =
  (pool: Pool, contacts: Contacts): RowsReader =>
  async ({ accountId }, question) => {
    const rows = await readStored(pool, { accountId }, question);
    return rows.map((row) => withEmail(row, { id: question.id, accountId }, contacts));
  };
