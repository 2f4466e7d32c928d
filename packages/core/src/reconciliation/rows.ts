import type { ContactCipher } from '@leadback/db';
import { contactOfReconciliationRow } from '@leadback/domain/keys';

/** SQL: the rows `r` of the reconciliation $1 with an outcome. As it is written, it fits one index alone. */
export const withOutcome = (outcome: string): string => `r.outcome = ${outcome} and r.reconciliation_id + 0 = $1`;

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
  contacts: ContactCipher,
  { id, accountId }: { readonly id: number; readonly accountId: number },
  { contact, dataKey, ...row }: Row,
) => {
  const owner = contactOfReconciliationRow(accountId, id, row.number);
  const { email = null } = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { ...row, email };
};

const lastAdjustment = (column: string) => `(
  select a.${column} from conversion_adjustment a
  where a.conversion_id = v.id and a.account_id = v.account_id order by a.id desc limit 1)`;

/** SQL: what a conversion `v` is worth now. */
export const amountNow = `coalesce(${lastAdjustment('amount')}, v.amount)`;

/** SQL: whether a conversion `v` was cancelled. */
export const isRetracted = `coalesce(${lastAdjustment('kind')} = 'retract', false)`;
