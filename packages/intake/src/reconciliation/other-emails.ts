import { type Contacts, preparedStatement, type Queryable } from '@leadback/db';
import { lookupHash } from '@leadback/secrets';
import { type StoredEmail, storedEmail, withEmail } from './row-email.ts';

interface Range {
  readonly id: number;
  readonly accountId: number;
  /** Numbers of rows. */
  readonly after: number;
  readonly last: number;
}

const read = preparedStatement<StoredEmail>(
  'read-emails-of-reconciliation-rows',
  `select r.number, ${storedEmail}
   from reconciliation_row r
   where r.reconciliation_id = $1 and r.number > $3 and r.number <= $4 and r.account_id + 0 = $2`,
);

/**
 * The emails of rows in the form in which the list does not have them: clients may have been stored before the account
 * encrypted contact data, or after. By the number of the row.
 */
export const otherEmails = async (
  on: Queryable,
  { id, accountId, after, last }: Range,
  contacts: Contacts,
): Promise<Readonly<Record<number, string>>> => {
  const { keys } = (await contacts.ofAccounts(on, [accountId]))(accountId);
  if (!keys) return {};
  const others: Record<number, string> = {};
  for (const row of await read(on, [id, accountId, after, last])) {
    const { email } = withEmail(row, { id, accountId }, contacts);
    if (email !== null) others[row.number] = row.contact === null ? lookupHash(keys, 'email', email) : email;
  }
  return others;
};
