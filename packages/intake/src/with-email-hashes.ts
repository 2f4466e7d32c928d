import type { Contacts, Queryable } from '@leadback/db';
import { lookupHash } from '@leadback/secrets';

interface WithEmailKey {
  readonly accountId: number;
  readonly emailKey?: string | undefined;
}

/** Adds the hashes by which encrypted emails are found, for accounts that have a key. */
export const withEmailHashes = async <Item extends WithEmailKey>(
  on: Queryable,
  items: readonly Item[],
  contacts: Contacts,
): Promise<(Item & { readonly emailHash?: string })[]> => {
  const searched = items.filter(({ emailKey }) => emailKey !== undefined);
  if (searched.length === 0) return [...items];
  const contactsOf = await contacts.ofAccounts(
    on,
    searched.map(({ accountId }) => accountId),
  );
  return items.map((item) => {
    const { accountId, emailKey } = item;
    const { keys } = contactsOf(accountId);
    return keys && emailKey !== undefined ? { ...item, emailHash: lookupHash(keys, 'email', emailKey) } : item;
  });
};
