import { type Contacts, preparedStatement, type Queryable } from '@leadback/db';
import { byReference, ofInput } from '../by-reference.ts';
import type { NewConversion } from '../conversions/insert-conversions.ts';
import { withEmailHashes } from '../with-email-hashes.ts';

/** A conversion whose reference `firstId` has. */
export interface Repetition {
  readonly firstId: number;
  readonly conversion: NewConversion;
}

export interface Comparison {
  /** Of the first conversion. */
  readonly leadId: number;
  readonly isSameAmount: boolean;
  readonly isSameCurrency: boolean;
  readonly isSameClient: boolean;
}

const clientByReference = byReference({
  table: 'client',
  as: 'r',
  columns: 'r.id',
  ...ofInput,
  reference: 'i.client_reference',
});

// The client is the same if the repetition names it by the reference that comes first, or else by its email: a client
// that was registered later with the same email makes no difference.
const compare = preparedStatement<Comparison>(
  'compare-conversions',
  `select first.amount = i.amount::numeric(12, 2) as "isSameAmount", first.currency = i.currency as "isSameCurrency",
          coalesce(named.id = c.id, c.email_hash = i.email_hash, false) as "isSameClient", c.lead_id as "leadId"
   from rows from (json_to_recordset($1) as (
     "firstId" bigint, "accountId" bigint, "isTest" boolean, amount numeric, currency text,
     "clientExternalReference" text, "emailHash" text)) with ordinality
     as i (first_id, account_id, is_test, amount, currency, client_reference, email_hash, place)
   cross join lateral (
     select amount, currency, client_id from conversion
     where id = i.first_id and account_id = i.account_id and is_test = i.is_test limit 1
   ) first
   cross join lateral (
     select id, lead_id, case when i.is_test then test_email_hash else email_hash end as email_hash from client
     where id = first.client_id limit 1
   ) c
   left join lateral (
     ${clientByReference}
     limit 1
   ) named on true
   order by i.place`,
);

/** Compares conversions with the first ones of their references. Returns one result per conversion, in order. */
export const compareConversions = async (
  on: Queryable,
  repetitions: readonly Repetition[],
  contacts: Contacts,
): Promise<Comparison[]> => {
  if (repetitions.length === 0) return [];
  const compared = repetitions.map(({ firstId, conversion }) => {
    const { accountId, isTest, amount, currency, clientExternalReference, emailKey } = conversion;
    return { firstId, accountId, isTest, amount, currency, clientExternalReference, emailKey };
  });
  return compare(on, [JSON.stringify(await withEmailHashes(on, compared, contacts))]);
};
