import { type PoolClient, preparedStatement } from '@leadback/db';
import type { FoundPerson } from './find-person.ts';

const eraseListedRows = preparedStatement(
  'erase-rows-of-reconciliations',
  `update reconciliation_row set email_key = null, contact = null, client_external_reference = null
   where account_id = $1 and (email_key = any($2) or client_external_reference = any($3))
     and (not $4 or reconciliation_id = any(array(select id from reconciliation where account_id = $1 and is_test)))
   returning 1`,
);

// also if they name the client otherwise, as imported rows
const eraseRowsOfConversions = preparedStatement(
  'erase-rows-of-reconciled-conversions',
  `with theirs as (
     select v.id, coalesce(v.external_reference, v.test_reference) as reference
     from unnest($2::bigint[]) c (id)
     cross join lateral (select * from conversion where client_id = c.id and account_id + 0 = $1 offset 0) v
   ), listed as materialized (
     select l.* from (select id from reconciliation where account_id = $1) n
     cross join theirs t
     cross join lateral (
       select reconciliation_id, number from reconciliation_row
       where reconciliation_id + 0 = n.id and external_reference between t.reference and t.reference
         and conversion_id = t.id
       offset 0
     ) l
   )
   update reconciliation_row r set email_key = null, contact = null, client_external_reference = null
   from listed l where r.reconciliation_id = l.reconciliation_id and r.number = l.number
     and num_nonnulls(r.email_key, r.client_external_reference) > 0
   returning 1`,
);

/** Erases the person from rows of reconciled lists that name it or have its conversions. Returns how many rows. */
export const eraseRowsOfLists = async (on: PoolClient, person: FoundPerson): Promise<number> => {
  const { accountId, emailKeys, emailHashes, references, clientIds, isTest } = person;
  const named = await eraseListedRows(on, [accountId, [...emailKeys, ...emailHashes], references, isTest]);
  const ofConversions = await eraseRowsOfConversions(on, [accountId, clientIds]);
  return named.length + ofConversions.length;
};
