import type { Contacts } from '@leadback/db';
import { contactOfReconciliationRow } from '@leadback/domain/keys';

/** The columns that come before the number in an index, and the values that its rows have there. As SQL. */
type IndexStart = Readonly<Record<string, string>>;

/**
 * SQL for `with recursive`: `page`, with the numbers of the first $4 rows `r` after number $3 that one index has together.
 * One row after the other, each the next entry of that index: a plan for all of them at once, or for conditions that another
 * index may fit as well, made while the table is small, would read every row of the list.
 */
export const rowPage = (start: IndexStart): string => {
  const columns = Object.keys(start).join(', ');
  const values = Object.values(start).join(', ');
  const [first] = Object.keys(start);
  const next = (after: string) =>
    `select r.number from reconciliation_row r
     where (${columns}, r.number) > (${values}, ${after}) and (${columns}) <= (${values}) and ${first} is not null
     order by ${columns}, r.number limit 1`;
  return `page (number, place) as (
     select first.number, 1 from (${next('$3')}) first
     union all
     select following.number, page.place + 1 from page cross join lateral (${next('page.number')}) following
     where page.place < $4
   )`;
};

/** The same for all rows, whose numbers leave none out. */
export const allRowsPage = 'page (number) as (select $3 + generate_series(1, $4::int))';

/** SQL: rows `r` of the reconciliation $1 of the account $2 in that page. */
export const rowsOfPage = `
  (select id from reconciliation where id = $1 and account_id + 0 = $2 limit 1) mine
  cross join page
  cross join lateral (
    select * from reconciliation_row where reconciliation_id = $1 and number = page.number limit 1
  ) r`;

export const withOutcome = (outcome: string): IndexStart => ({ 'r.outcome': outcome, 'r.reconciliation_id + 0': '$1' });

export const undelivered: IndexStart = { 'r.undelivered_in': '$1' };

/** The email of a row of a list, as it is stored. */
export interface StoredEmail {
  readonly number: number;
  readonly contact: Buffer | null;
  /** Of the account. */
  readonly dataKey: Buffer | null;
}

/** SQL: the columns of `StoredEmail` of the row `r`, for the account $2. */
export const storedEmail = `r.contact, (select data_key from account where id = $2) as "dataKey"`;

/** Replaces the stored email of a row of the reconciliation with the email, which is null if it cannot be decrypted. */
export const withEmail = <Row extends StoredEmail>(
  { contact, dataKey, ...row }: Row,
  { id, accountId }: { readonly id: number; readonly accountId: number },
  contacts: Contacts,
) => {
  const owner = contactOfReconciliationRow(accountId, id, row.number);
  const { email = null } = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { ...row, email };
};

const lastAdjustment = (column: string) => `(
  select a.${column} from conversion_adjustment a
  where a.conversion_id = v.id and a.account_id + 0 = v.account_id order by a.id desc limit 1)`;

/** SQL: what a conversion `v` is worth now. */
export const amountNow = `coalesce(${lastAdjustment('amount')}, v.amount)`;

/** SQL: whether a conversion `v` was cancelled. */
export const isRetracted = `coalesce(${lastAdjustment('kind')} = 'retract', false)`;
