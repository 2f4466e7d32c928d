import type { Database } from '@leadback/db';

// Recounts the deliveries independently of the trigger: row by row, by the conversion's own time and mode.
const differences = `
  with recount as (
    select f.account_id, to_char(coalesce(v.occurred_at, v.created_at) at time zone 'UTC', 'YYYY-MM-DD')::date as day,
           p.platform, f.state, f.match_keys, count(*) as deliveries,
           case when f.state = 'delivered' then ''
                when split_part(f.reason, ':', 1) ~ '^(HTTP )?[A-Za-z0-9_./]{1,40}$' then split_part(f.reason, ':', 1)
                else 'other' end as reason
    from delivery f join conversion v on v.id = f.conversion_id join platform_connection p on p.id = f.connection_id
    where f.state <> 'pending' and not v.is_test group by 1, 2, 3, 4, 5, 7
  ), quality as (
    select account_id, day, platform, state, reason, nullif(match_keys, -1) as match_keys, sum(deliveries) as deliveries
    from (select account_id, day, platform, state, reason, match_keys, deliveries from quality_day
          union all
          select account_id, day, platform, state, reason, match_keys, change from quality_increment) q
    group by 1, 2, 3, 4, 5, 6
  )
  select concat_ws(' ', account_id, day, platform, state, reason, match_keys) || ': ' || sum(counted)
         || ', recounted ' || sum(recounted) as difference
  from (
    select account_id, day, platform, state, reason, match_keys, deliveries as counted, 0 as recounted from quality
    union all
    select account_id, day, platform, state, reason, match_keys, 0, deliveries from recount
  ) both_counts
  group by account_id, day, platform, state, reason, match_keys having sum(counted) <> sum(recounted)`;

/** Differences between the quality counts and a recount of the deliveries; empty if there are none. */
export const qualityDifferences = async ({ pool }: Pick<Database, 'pool'>): Promise<string[]> => {
  const { rows } = await pool.query<{ difference: string }>(differences);
  return rows.map(({ difference }) => difference);
};
