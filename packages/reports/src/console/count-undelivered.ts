import type { ConnectionState } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import type { AccountScope } from '@leadback/people';
import { boundedConnections, totalledMax } from './bounded-connections.ts';
import type { Money } from './measures.ts';
import { codeOf, isEnded, moneyOfSums, newestIndexed, type UndeliveredFilter } from './undelivered.ts';

/** What a retry would take now, and what it would leave. */
export interface RetryCount {
  readonly deliveries: number;
  /** Different ones; leads and adjustments are of none. */
  readonly conversions: number;
  /** Of these conversions, as they were registered. */
  readonly money: Money[];
  /** Of connections that are not active. */
  readonly held: {
    readonly connectionId: number;
    readonly connectionState: ConnectionState;
    readonly deliveries: number;
  }[];
  /** Whether there are more: the other figures are those of each connection's newest deliveries. */
  readonly isPartial: boolean;
  /** The newest delivery that it may take; 0: none. */
  readonly lastId: number;
}

const count = preparedStatement<RetryCount>(
  'count-undelivered',
  `with newest as materialized (
     select c.id as connection_id, c.state as connection_state, c.rows_max, f.id, f.conversion_id,
            ${isEnded} and ($3::text is null or f.state = $3) and ($4::text is null or ${codeOf} = $4)
              and f.id >= $6 as is_wanted
     from ${boundedConnections({ max: '$5', where: '($2::bigint is null or id = $2)' })}
     cross join ${newestIndexed}
   ), ended as materialized (select * from newest where is_wanted)
   select (select count(*)::int from ended where connection_state = 'active') as deliveries,
          (select coalesce(max(id), 0) from newest where connection_state = 'active') as "lastId",
          exists (select from newest where connection_state = 'active'
                  group by connection_id having count(*) >= max(rows_max) and min(id) >= $6) as "isPartial",
          coalesce(sum(conversions), 0)::int as conversions, ${moneyOfSums} as money,
          (select coalesce(json_agg(h), '[]') from (
             select connection_id as "connectionId", connection_state as "connectionState", count(*)::int as deliveries
             from ended where connection_state <> 'active' group by 1, 2 order by 1) h) as held
   from (
     select v.currency, count(*) as conversions, sum(v.amount) as amount
     from (select distinct conversion_id as id from ended
           where connection_state = 'active' and conversion_id is not null) taken
     cross join lateral (
       select amount, currency from conversion where id = taken.id and account_id + 0 = $1 limit 1) v
     group by 1) by_currency`,
);

/** Counts what a retry of everything undelivered takes, narrowed by a filter. */
export type UndeliveredCounter = (scope: AccountScope, filter: UndeliveredFilter) => Promise<RetryCount>;

export const undeliveredCounter =
  (pool: Pool, max = totalledMax): UndeliveredCounter =>
  async ({ accountId }, { connectionId, state, code, since }) => {
    const [row] = await count(pool, [accountId, connectionId ?? null, state ?? null, code ?? null, max, since ?? 0]);
    if (!row) throw new Error('a count returned no row');
    return row;
  };
