import type { DestinationName } from '@leadback/domain';
import { type PoolClient, preparedStatement } from '@leadback/db';

/** What a platform was told of a person: that cannot be erased here. */
export interface ToldPlatform {
  readonly platform: DestinationName;
  /** Delivered conversions, leads and adjustments. */
  readonly events: number;
  readonly lastAt: Date;
}

const find = preparedStatement<ToldPlatform>(
  'find-platforms-told-of-a-person',
  `with theirs as (
     select v.id from unnest($2::bigint[]) c (id)
     cross join lateral (select id from conversion where client_id = c.id and account_id + 0 = $1 offset 0) v
   ), told as (
     select f.connection_id, f.closed_at from theirs cross join lateral (
       select connection_id, closed_at from feedback
       where conversion_id = theirs.id and account_id + 0 = $1 and state = 'delivered' offset 0) f
     union all
     select f.connection_id, f.closed_at from theirs
     cross join lateral (
       select id from conversion_adjustment where conversion_id = theirs.id and account_id + 0 = $1 offset 0) a
     cross join lateral (
       select connection_id, closed_at from feedback
       where adjustment_id = a.id and account_id + 0 = $1 and state = 'delivered' offset 0) f
     union all
     select f.connection_id, f.closed_at from unnest($2::bigint[]) c (id) cross join lateral (
       select connection_id, closed_at from feedback
       where client_id = c.id and account_id + 0 = $1 and state = 'delivered' offset 0) f
   )
   select p.platform, count(*) as events, max(told.closed_at) as "lastAt"
   from told cross join lateral (select platform from platform_connection where id = told.connection_id limit 1) p
   group by p.platform order by p.platform`,
);

/** The platforms to which anything of these clients was delivered, as far as the deliveries are still stored. */
export const findToldPlatforms = (
  on: PoolClient,
  accountId: number,
  clientIds: readonly number[],
): Promise<ToldPlatform[]> => find(on, [accountId, clientIds]);
