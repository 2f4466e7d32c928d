import type { Contacts, Queryable } from '@leadback/db';
import { lookupHash } from '@leadback/domain/keys';

interface WithEmailKey {
  readonly accountId: number;
  readonly emailKey?: string | undefined;
}

/** Replaces emails with the hashes by which they are found; a forgotten account finds none. */
export const withEmailHashes = async <Item extends WithEmailKey>(
  on: Queryable,
  items: readonly Item[],
  contacts: Contacts,
): Promise<(Omit<Item, 'emailKey'> & { readonly emailHash?: string | undefined })[]> => {
  const searched = items.filter(({ emailKey }) => emailKey !== undefined);
  const contactsOf = await contacts.ofAccounts(
    on,
    searched.map(({ accountId }) => accountId),
  );
  return items.map(({ emailKey, ...item }) => {
    const { keys } = contactsOf(item.accountId);
    return { ...item, emailHash: keys && emailKey !== undefined ? lookupHash(keys, 'email', emailKey) : undefined };
  });
};
