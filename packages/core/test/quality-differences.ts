import type { Database } from '@leadback/db';

const alike = 'account_id, day, connection_id, platform, state, reason, verdict, match_keys, currency';

// Recounts the deliveries independently of the trigger: row by row, by the conversion's own time and mode.
const differences = `
  with recount as (
    select f.account_id, to_char(coalesce(v.occurred_at, v.created_at) at time zone (select time_zone from account a where a.id = f.account_id), 'YYYY-MM-DD')::date as day,
           f.connection_id, p.platform, f.state, f.match_keys, v.currency, v.amount,
           case when f.is_confirmed is null then '' when f.is_confirmed then 'used' else 'unused' end as verdict,
           case when f.state = 'delivered' then ''
                when split_part(f.reason, ':', 1) ~ '^(HTTP )?[A-Za-z0-9_./]{1,60}$' then split_part(f.reason, ':', 1)
                else 'other' end as reason
    from delivery f join conversion v on v.id = f.conversion_id join platform_connection p on p.id = f.connection_id
    where f.state <> 'pending' and not v.is_test
  ), quality as (
    select account_id, day, connection_id, platform, state, nullif(match_keys, -1) as match_keys, currency, amount, verdict,
           reason, deliveries
    from quality_day
    union all
    select i.account_id, to_char(i.at at time zone a.time_zone, 'YYYY-MM-DD')::date, connection_id, platform, state, nullif(match_keys, -1),
           currency, amount, verdict, reason, change
    from quality_increment i join account a on a.id = i.account_id
  )
  select concat_ws(' ', ${alike}) || ': ' || sum(counted) || ', recounted ' || sum(recounted) || '; ' || sum(amount) as difference
  from (
    select ${alike}, deliveries as counted, 0 as recounted, amount from quality
    union all
    select ${alike}, 0, 1, -amount from recount
  ) both_counts
  group by ${alike} having sum(counted) <> sum(recounted) or sum(amount) <> 0`;

/** Differences between the quality counts and a recount of the deliveries; empty if there are none. */
export const qualityDifferences = async ({ pool }: Pick<Database, 'pool'>): Promise<string[]> => {
  const { rows } = await pool.query<{ difference: string }>(differences);
  return rows.map(({ difference }) => difference);
};
