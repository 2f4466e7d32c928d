import { type AccountId, type Currency, decimalIn, eventAgeMaxMs, inMinorUnits, platformNames } from '@leadback/domain';
import { type Queryable, statement } from '@leadback/db';
import { codeOf, indexed, isEnded, isFinal, isOfPlatform } from '../delivery/undelivered.ts';
import type { Money } from '../metrics/overview.ts';

/** What tells an account that needs somebody from others. */
export interface AccountFigures {
  readonly id: AccountId;
  /** Of the last 30 days of the account, after adjustments; in the order of its currencies. */
  readonly revenue: readonly Money[];
  /** Whether it is that of its newest campaigns and days alone. */
  readonly isRevenuePartial: boolean;
  /** Live deliveries that ended without success, and that somebody can change. */
  readonly undelivered: number;
  /** Whether there may be more. */
  readonly isUndeliveredPartial: boolean;
  /** Connections that their platform rejects, and that are paused while live deliveries wait. */
  readonly rejected: number;
  readonly paused: number;
  /** Whether there are sales that no connection took, and some platform still takes. */
  readonly hasUntold: boolean;
  /** Whether it has a connection to a platform. */
  readonly isConnected: boolean;
}

interface Row extends Omit<AccountFigures, 'revenue'> {
  revenue: { currency: Currency; amount: string }[];
}

export const figuresDays = 30;

// so that a list of any accounts is read in time, whatever they have
const metricsMax = 500_000;
const deliveriesMax = 50_000;

// Plan: of each account the newest rows of its metrics by their key, of each connection the newest rows of the index of what
// ended without success; each its share of the bound.
const read = statement<Row>(
  `with listed as (
     select id, currencies, time_zone, day_of(now(), time_zone) as today, greatest($2::int / count(*) over (), 1) as rows_max
     from account where id = any($1::bigint[])
   ), connection as (
     select c.id, c.account_id, c.state, greatest($3::int / count(*) over (), 1) as rows_max
     from platform_connection c where c.account_id = any($1::bigint[]) and c.${isOfPlatform} and c.deleted_at is null
   ), metric as (
     select a.id as account_id, a.rows_max, m.measure, m.value
     from listed a
     cross join lateral (
       select measure, value from account_metric
       where account_id = a.id and day between a.today - ${figuresDays - 1} and a.today order by day desc limit a.rows_max) m
   ), sums as (
     select account_id, substr(measure, length('amount.') + 1) as currency, sum(value) as amount
     from (
       select account_id, measure, value from metric
       union all
       select i.account_id, i.measure, i.change
       from metric_increment i join listed a on a.id = i.account_id
       where day_of(i.at, a.time_zone) between a.today - ${figuresDays - 1} and a.today
     ) every
     where measure like 'amount.%' group by 1, 2 having sum(value) <> 0
   ), ended as (
     select c.account_id, count(*) filter (where ${isEnded} and not ${isFinal('f.state', codeOf)}) as undelivered,
            count(*) >= max(c.rows_max) as is_end
     from connection c
     cross join lateral (select * from delivery f where ${indexed} order by f.id desc limit c.rows_max) f
     group by c.account_id, c.id
   )
   select a.id,
          (select coalesce(json_agg(json_build_object('currency', s.currency, 'amount', s.amount::text)
                                    order by array_position(a.currencies, s.currency), s.currency), '[]')
           from sums s where s.account_id = a.id) as revenue,
          (select count(*) from metric where account_id = a.id) >= a.rows_max as "isRevenuePartial",
          coalesce((select sum(undelivered) from ended where account_id = a.id), 0)::int as undelivered,
          coalesce((select bool_or(is_end) from ended where account_id = a.id), false) as "isUndeliveredPartial",
          (select count(*) from connection where account_id = a.id and state = 'needs_attention')::int as rejected,
          (select count(*) from connection c
           where account_id = a.id and state = 'paused'
             and exists (select from delivery_due where connection_id = c.id and not is_test))::int as paused,
          exists (select from conversion
                  where account_id = a.id and is_untold and coalesce(occurred_at, created_at) >= now() - $4::interval) as "hasUntold",
          exists (select from connection where account_id = a.id) as "isConnected"
   from listed a order by a.id`,
);

/** The figures of accounts that the caller may see. At most so many rows of metrics and of deliveries are read. */
export const readAccountFigures = async (
  on: Queryable,
  ids: readonly AccountId[],
  { metrics = metricsMax, deliveries = deliveriesMax } = {},
): Promise<AccountFigures[]> => {
  if (ids.length === 0) return [];
  const ageMaxMs = Math.max(...platformNames.map(eventAgeMaxMs));
  const rows = await read(on, [ids, metrics, deliveries, `${ageMaxMs} milliseconds`]);
  return rows.map(({ revenue, ...row }) => ({
    ...row,
    revenue: revenue.map(({ currency, amount }) => ({
      currency,
      amount: decimalIn(currency, inMinorUnits(amount, currency)),
    })),
  }));
};
