import { type PlatformName, webhookName } from '@leadback/domain';
import { preparedStatement, type Queryable, type Contacts } from '@leadback/db';
import { lookupHash } from '@leadback/domain/keys';

/** Bytes in a JSON parameter, as PostgreSQL reads a `bytea`. */
export const byteaText = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

const find = preparedStatement<{ platform: PlatformName }>(
  'platforms-of-account',
  `select distinct platform from platform_connection
   where account_id = $1 and state in ('active', 'needs_attention') and platform <> '${webhookName}'`,
);

/** The platforms that are told of an account's conversions. */
export const platformsOf = async (on: Queryable, accountId: number): Promise<readonly PlatformName[]> =>
  (await find(on, [accountId])).map(({ platform }) => platform);

interface ReferenceLookup {
  readonly table: 'client' | 'conversion';
  /** The name of the table in `columns`. */
  readonly as: string;
  readonly columns: string;
  readonly accountId: string;
  readonly isTest: string;
  readonly reference: string;
  /** Only if this is true. */
  readonly when?: string;
}

/**
 * SQL: the row of an account and mode with a reference, if there is one, as selects for a `union all`. Each of them reads
 * one entry of a unique index, whatever PostgreSQL knows of the tables: `between` and the order leave it no other index
 * that begins with the account. All values are SQL expressions.
 */
export const byReference = ({ table, as, columns, accountId, isTest, reference, when }: ReferenceLookup): string => {
  const rowBy = (column: string, isOfMode: string) => `(select ${columns} from ${table} ${as}
        where ${when === undefined ? '' : `${when} and `}${isOfMode} and ${as}.account_id = ${accountId}
          and ${as}.${column} between ${reference} and ${reference}
        order by ${as}.${column} limit 1)`;
  return `${rowBy('external_reference', `not ${isTest}`)}
       union all
       ${rowBy('test_reference', isTest)}`;
};

/** The columns of a statement's `input i`. */
export const ofInput = { accountId: 'i.account_id', isTest: 'i.is_test' } as const;

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
