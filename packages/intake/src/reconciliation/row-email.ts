import type { Contacts } from '@leadback/db';
import { contactOfReconciliationRow } from '@leadback/secrets';

/** The email of a row of a list, as it is stored. */
export interface StoredEmail {
  readonly number: number;
  readonly emailKey: string | null;
  readonly contact: Buffer | null;
  /** Of the account. */
  readonly dataKey: Buffer | null;
}

/** SQL: the columns of `StoredEmail` of the row `r`, for the account $2. */
export const storedEmail = `r.email_key as "emailKey", r.contact,
          case when r.contact is not null then (select data_key from account where id = $2) end as "dataKey"`;

/** Replaces the stored email of a row of the reconciliation with the email, which is null if it cannot be decrypted. */
export const withEmail = <Row extends StoredEmail>(
  { emailKey, contact, dataKey, ...row }: Row,
  { id, accountId }: { readonly id: number; readonly accountId: number },
  contacts: Contacts,
) => {
  if (contact === null) return { ...row, email: emailKey };
  const owner = contactOfReconciliationRow(accountId, id, row.number);
  const { email = null } = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { ...row, email };
};
