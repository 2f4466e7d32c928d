import { type Pool, preparedStatement } from '@leadback/db';

/** Sums over all accounts. Conversions by their UTC day, without tests. */
export interface Totals {
  readonly accounts: number;
  readonly activeAccounts: number;
  readonly conversionsYesterday: number;
  readonly conversionsToday: number;
}

const read = preparedStatement<Totals>(
  'read-totals',
  `with today as (select (now() at time zone 'utc')::date as day),
   counted as (
     select m.day, m.value
     from today cross join account a
     cross join lateral (
       select day, value from account_metric
       where account_id = a.id and day between today.day - 1 and today.day and measure = 'conversions') m
     union all
     select c.day, c.change from today join metric_change c on c.day between today.day - 1 and today.day
     where c.measure = 'conversions'
   )
   select (select count(*) from account)::int as accounts,
          (select count(*) from account where status = 'active')::int as "activeAccounts",
          coalesce(sum(value) filter (where counted.day < today.day), 0)::float8 as "conversionsYesterday",
          coalesce(sum(value) filter (where counted.day = today.day), 0)::float8 as "conversionsToday"
   from today left join counted on true`,
);

/** Exact at once: changes that are not rolled up yet are included. */
export const readTotals = async (pool: Pool): Promise<Totals | undefined> => {
  const [totals] = await read(pool, []);
  return totals;
};
