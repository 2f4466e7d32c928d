import { type PoolClient, preparedStatement } from '@leadback/db';

const find = preparedStatement<{ id: number }>(
  'find-deliveries-of-a-person',
  `with theirs as (
     select v.id from unnest($2::bigint[]) c (id)
     cross join lateral (select id from conversion where client_id = c.id and account_id + 0 = $1 offset 0) v
   )
   select f.id from theirs cross join lateral (
     select id from feedback where conversion_id = theirs.id and account_id + 0 = $1 offset 0) f
   union all
   select f.id from theirs
   cross join lateral (
     select id from conversion_adjustment where conversion_id = theirs.id and account_id + 0 = $1 offset 0) a
   cross join lateral (select id from feedback where adjustment_id = a.id and account_id + 0 = $1 offset 0) f
   union all
   select f.id from unnest($2::bigint[]) c (id) cross join lateral (
     select id from feedback where client_id = c.id and account_id + 0 = $1 offset 0) f`,
);

const erase = preparedStatement(
  'erase-responses-of-platforms',
  'update feedback_attempt set answer = null where feedback_id = any($1::bigint[]) and answer is not null',
);

/** Erases what platforms responded to deliveries of these clients: a platform may quote what it was told. */
export const eraseResponses = async (
  on: PoolClient,
  accountId: number,
  clientIds: readonly number[],
): Promise<void> => {
  const deliveries = await find(on, [accountId, clientIds]);
  if (deliveries.length > 0) await erase(on, [deliveries.map(({ id }) => id)]);
};
