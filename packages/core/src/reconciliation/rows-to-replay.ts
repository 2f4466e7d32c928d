import type { Currency, ReplayableOutcome } from '@leadback/domain';
import { type Contacts, preparedStatement, type Queryable } from '@leadback/db';
import { type StoredEmail, storedEmail, withEmail } from './row-email.ts';
import { rowPage, rowsOfPage, withOutcome } from './row-page.ts';

export interface RowToReplay {
  readonly number: number;
  readonly conversionExternalReference: string;
  /** Exact decimal with two places. */
  readonly amount: string;
  readonly currency: Currency;
  readonly clientExternalReference: string | null;
  readonly email: string | null;
  readonly occurredAt: Date | null;
  /** By the clock of the database; null: the list does not say when it occurred. */
  readonly ageMs: number | null;
  /** Whether an earlier replay has registered it. */
  readonly isRegistered: boolean;
}

type StoredRow = Omit<RowToReplay, 'email'> & StoredEmail;

interface NextRows {
  readonly id: number;
  readonly accountId: number;
  readonly outcome: ReplayableOutcome;
  readonly after: number;
  readonly limit: number;
}

const find = preparedStatement<StoredRow>(
  'find-rows-to-replay',
  `with recursive ${rowPage(withOutcome('$5'))}
   select r.number, r.external_reference as "conversionExternalReference", r.amount, r.currency,
          r.client_external_reference as "clientExternalReference", ${storedEmail},
          r.occurred_at as "occurredAt", extract(epoch from now() - r.occurred_at)::float8 * 1000 as "ageMs",
          r.conversion_id is not null as "isRegistered"
   from ${rowsOfPage} order by r.number`,
);

/** Returns the next rows with an outcome, also those that are registered. */
export const findRowsToReplay = async (
  on: Queryable,
  { id, accountId, outcome, after, limit }: NextRows,
  contacts: Contacts,
): Promise<RowToReplay[]> => {
  const rows = await find(on, [id, accountId, after, limit, outcome]);
  return rows.map((row) => withEmail(row, { id, accountId }, contacts));
};

export interface ReplayedRow {
  readonly number: number;
  readonly conversionId: number | null;
  readonly message: string | null;
}

// without a join: its plan could compare all rows of the list with each of these
const mark = preparedStatement(
  'mark-replayed-rows',
  `update reconciliation_row
   set conversion_id = ($4::bigint[])[array_position($3::int[], number)],
       message = ($5::text[])[array_position($3::int[], number)]
   where reconciliation_id = $1 and account_id + 0 = $2 and number = any($3::int[])`,
);

export const markReplayedRows = async (
  on: Queryable,
  { id, accountId }: Pick<NextRows, 'id' | 'accountId'>,
  rows: readonly ReplayedRow[],
): Promise<void> => {
  const numbers = rows.map(({ number }) => number);
  const conversionIds = rows.map(({ conversionId }) => conversionId);
  await mark(on, [id, accountId, numbers, conversionIds, rows.map(({ message }) => message)]);
};
