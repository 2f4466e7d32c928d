import type { AccountMode } from '@leadback/domain';
import { preparedStatement, type Queryable } from '@leadback/db';
import { byReference, ofInput } from '../by-reference.ts';

/** The conversion that an adjustment names, by id or by reference; if by both, both must match. */
export interface AdjustedConversion extends AccountMode {
  readonly conversionId?: number | undefined;
  readonly conversionReference?: string | undefined;
}

const conversionByReference = byReference({
  table: 'conversion',
  as: 'w',
  columns: 'w.id',
  ...ofInput,
  reference: 'i.reference',
  when: 'i.conversion_id is null',
});

// Locked in the order of their ids, so that two transactions cannot deadlock.
const findAndLock = preparedStatement<{ id: number | null }>(
  'lock-conversions-to-adjust',
  `with input as (
     select * from rows from (json_to_recordset($1) as (
       "accountId" bigint, "isTest" boolean, "conversionId" bigint, "conversionReference" text))
       with ordinality as i (account_id, is_test, conversion_id, reference, place)
   ), found as materialized (
     select i.place, v.id from input i
     cross join lateral (
       (select w.id from conversion w
        where w.id = i.conversion_id and w.account_id + 0 = i.account_id and w.is_test = i.is_test
          and (i.reference is null or i.reference = coalesce(w.external_reference, w.test_reference)) limit 1)
       union all
       ${conversionByReference}
       limit 1
     ) v
   ), locked as materialized (
     select id from conversion where id = any(array(select id from found)) order by id for no key update
   )
   select found.id from input left join found using (place)
   where (select count(*) from locked) is not null order by place`,
);

/**
 * Finds the conversions of adjustments and locks them until the transaction ends: others that adjust them wait. Returns
 * an id per adjustment, in order; null if the account has no such conversion in this mode.
 */
export const lockAdjusted = async (
  on: Queryable,
  adjustments: readonly AdjustedConversion[],
): Promise<(number | null)[]> => {
  const named = adjustments.map(({ accountId, isTest, conversionId, conversionReference }) => {
    return { accountId, isTest, conversionId, conversionReference };
  });
  return (await findAndLock(on, [JSON.stringify(named)])).map(({ id }) => id);
};
