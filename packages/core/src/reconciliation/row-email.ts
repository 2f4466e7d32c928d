import type { Contacts } from '@leadback/db';
import { contactOfReconciliationRow } from '@leadback/domain/keys';

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
