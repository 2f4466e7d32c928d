import type { PlatformName } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import type { AccountScope } from '@leadback/people';
import { boundedConnections, totalledMax } from './bounded-connections.ts';
import { moneyOfSums, type UndeliveredCounts } from './undelivered.ts';

export interface WaitingDeliveries extends UndeliveredCounts {
  readonly connectionId: number;
  readonly platform: PlatformName;
  /** Whether conversions and money are those of the oldest deliveries alone. */
  readonly isPartial: boolean;
}

// Parcels tell how many wait; what they are worth is read from the deliveries, so only of so many.
const read = preparedStatement<WaitingDeliveries>(
  'read-waiting',
  `select c.id as "connectionId", c.platform, parcels.deliveries, worth.conversions, worth.money,
          worth.summed >= c.rows_max as "isPartial"
   from ${boundedConnections({ max: '$2' })}
   cross join lateral (
     select coalesce(sum(cardinality(feedback_ids)), 0)::int as deliveries
     from feedback_due where connection_id = c.id and not is_test
       and not_before >= '-infinity' and not_before <= 'infinity'
   ) parcels
   cross join lateral (
     select coalesce(sum(counted), 0) as summed, coalesce(sum(of_conversions), 0)::int as conversions, ${moneyOfSums} as money
     from (
     select v.currency, count(*) as counted, count(v.amount) as of_conversions, sum(v.amount) as amount
     from (select unnest(feedback_ids) as id from (
             select feedback_ids from feedback_due where connection_id = c.id and not is_test
               and not_before >= '-infinity' and not_before <= 'infinity' order by not_before) d limit c.rows_max) waiting
     cross join lateral (
       select conversion_id from feedback where id = waiting.id and account_id + 0 = $1 limit 1) f
     left join lateral (
       select amount, currency from conversion where id = f.conversion_id and account_id + 0 = $1 limit 1) v on true
     group by 1) by_currency
   ) worth
   where parcels.deliveries > 0 order by parcels.deliveries desc, c.id`,
);

/** Returns the live deliveries that are on their way, by connection. */
export type WaitingReader = (scope: AccountScope) => Promise<WaitingDeliveries[]>;

export const waitingReader =
  (pool: Pool, max = totalledMax): WaitingReader =>
  ({ accountId }) =>
    read(pool, [accountId, max]);
