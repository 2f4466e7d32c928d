import type { ContactCipher } from '@leadback/db';
import { otherDecimals } from '@leadback/domain';
import type { Keys } from '@leadback/domain/keys';
import type { NewParcel } from './delivery/enqueue.ts';

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

/** SQL: an amount as it is stored: rounded half up to the minor unit of its currency, and with all its decimals. */
export const roundedIn = (currency: string, amount: string): string =>
  `round(${amount}, case ${otherDecimals
    .map(({ decimals, of }) => `when ${currency} = any('{${of.join(',')}}'::text[]) then ${decimals}`)
    .join(' ')} else 2 end)`;

/** The columns of a statement's `input i`. */
export const ofInput = { accountId: 'i.account_id', isTest: 'i.is_test' } as const;

export interface RegistrarOptions {
  readonly contacts: ContactCipher;
  /** Tell genuine lead references from damaged ones. Without them, each that names no lead is unknown. */
  readonly referenceKeys?: Keys | undefined;
  /** Called after each commit that created deliveries. Must not throw. */
  readonly announce: (parcels: readonly NewParcel[]) => void;
}
