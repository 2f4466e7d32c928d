import type { Database } from '@leadback/db';

// Recounts the base tables independently of the triggers: row by row, without grouping.
const differences = `
  with conversions as (
    select v.*, coalesce((select a.amount from conversion_adjustment a where a.conversion_id = v.id order by a.id desc limit 1),
                         v.amount) as amount_now,
           coalesce(v.occurred_at, v.created_at) as counted_at
    from conversion v where not v.is_test
  ), counted as (
    select l.id as lead_id, l.created_at as counted_at, 'leads' as measure, 1::numeric as value from lead l where not l.is_test
    union all select c.lead_id, c.created_at, 'clients', 1 from client c where not c.is_test
    union all select v.lead_id, v.counted_at, 'conversions', 1 from conversions v
    union all select v.lead_id, v.counted_at, 'amount.' || v.currency, v.amount_now from conversions v
    union all select v.lead_id, v.counted_at, 'refunded.' || v.currency, v.amount - v.amount_now from conversions v
      where v.amount_now < v.amount
    union all select v.lead_id, v.counted_at, 'deliveries.' || p.platform || '.' || f.state || '.' || p.id, 1
      from delivery f join conversions v on v.id = f.conversion_id join platform_connection p on p.id = f.connection_id
  ), recount as (
    select l.account_id, to_char(n.counted_at at time zone (select time_zone from account a where a.id = l.account_id), 'YYYY-MM-DD')::date as day, l.landing_page_id,
           case when n.measure = 'leads' and l.counts_as_other then other_of(campaign_of(l.click_parameters, l.click_times))
                else campaign_of(l.click_parameters, l.click_times) end as campaign, n.measure, sum(n.value) as value
    from counted n join lead l on l.id = n.lead_id group by 1, 2, 3, 4, 5
  ), metrics as (
    select account_id, day, landing_page_id, campaign, measure, sum(value) as value
    from (select account_id, day, landing_page_id, campaign, measure, value from account_metric
          union all
          select i.account_id, to_char(i.at at time zone a.time_zone, 'YYYY-MM-DD')::date, i.landing_page_id, i.campaign, i.measure, i.change
          from metric_increment i join account a on a.id = i.account_id) m
    group by 1, 2, 3, 4, 5
  )
  select concat_ws(' ', account_id, day, landing_page_id, campaign, measure) || ': ' || coalesce(m.value, 0)
         || ', counted ' || coalesce(r.value, 0) as difference
  from recount r full join metrics m using (account_id, day, landing_page_id, campaign, measure)
  where coalesce(m.value, 0) <> coalesce(r.value, 0)`;

/** Differences between the metrics and a recount of the base tables; empty if there are none. */
export const metricDifferences = async ({ pool }: Pick<Database, 'pool'>): Promise<string[]> => {
  const { rows } = await pool.query<{ difference: string }>(differences);
  return rows.map(({ difference }) => difference);
};
