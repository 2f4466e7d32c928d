import { preparedStatement, type Queryable } from '@leadback/db';

/** What stays of erased clients. */
export interface Kept {
  /** An amount, a day and the account's own number. */
  readonly conversions: number;
  /** Pending feedback of these clients, their conversions and adjustments; without personal data it will be skipped. */
  readonly pendingFeedback: number;
}

const count = preparedStatement<Kept>(
  'count-what-an-erased-person-leaves',
  `with kept as (
     select v.id from unnest($2::bigint[]) c (id)
     cross join lateral (select id from conversion where client_id = c.id and account_id + 0 = $1 offset 0) v
   )
   select (select count(*) from kept) as conversions,
          (select count(*) from kept cross join lateral (
             select from feedback where conversion_id = kept.id and account_id + 0 = $1 and state = 'pending'
             union all
             select from (select id from conversion_adjustment where conversion_id = kept.id and account_id + 0 = $1) a
             cross join lateral (
               select from feedback where adjustment_id = a.id and account_id + 0 = $1 and state = 'pending' offset 0) f
           ) pending)
          + (select count(*) from unnest($2::bigint[]) erased (id) cross join lateral (
               select from feedback where client_id = erased.id and account_id + 0 = $1 and state = 'pending' offset 0) f
          ) as "pendingFeedback"`,
);

export const countKept = async (on: Queryable, accountId: number, clientIds: readonly number[]): Promise<Kept> => {
  const [kept] = await count(on, [accountId, clientIds]);
  if (!kept) throw new Error('the conversions were not counted');
  return kept;
};
