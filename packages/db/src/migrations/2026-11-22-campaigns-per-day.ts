import { Migration } from '@mikro-orm/migrations';

// `limit 1`: the planner cannot turn the lookup by key into a join that reads the whole table
const isKnown = (of: string) => `
  left join lateral (
    select true as yes from account_metric m
    where m.account_id = ${of}.account_id and m.day = ${of}.day and m.landing_page_id = ${of}.landing_page_id
      and m.campaign = ${of}.campaign
    limit 1
  ) known on true`;
const isNew = (of: string) => `${of}.campaign not in ('', '(other)') and known.yes is null`;

const folding = `
  create function roll_up_metrics(
    changes_max bigint, from_id bigint, campaigns_max bigint, out rolled_up bigint, out first_id bigint
  ) language plpgsql as $$
  declare
    taken metric_change[];
  begin
    with gone as (
      delete from metric_change where id = any(array(
        select id from metric_change where id >= from_id order by id limit changes_max for update skip locked))
      returning *
    )
    select count(*), min(gone.id), array_agg(row(gone.*)::metric_change) into rolled_up, first_id, taken from gone;

    -- One session at a time admits campaigns. Each statement here has a snapshot of its own: the next one sees what was
    -- admitted before.
    if exists (
      select from (select distinct account_id, day, landing_page_id, campaign from unnest(taken)) t ${isKnown('t')}
      where ${isNew('t')}
    ) then
      perform pg_advisory_xact_lock(hashtextextended('campaigns of metrics', 33));
    end if;

    -- sorted, so that concurrent calls cannot deadlock on each other's sums
    insert into account_metric (account_id, day, landing_page_id, campaign, measure, value)
    with summed as (
      select account_id, day, landing_page_id, campaign, measure, sum(change) as change,
             min(min(id)) over (partition by account_id, day, landing_page_id, campaign) as seen
      from unnest(taken) group by 1, 2, 3, 4, 5
    ), compared as (
      select s.*, ${isNew('s')} as is_new from summed s ${isKnown('s')}
    ), ranked as (
      select *, dense_rank() over (partition by account_id, day, landing_page_id, is_new order by seen) as nth from compared
    ), measured as (
      -- once a campaign counted as another, no further one is admitted, whatever the limit is by then: a later change
      -- of a sum must find the same row
      select *, max(case when is_new and nth = 1 then (
        select case when exists (
            select from account_metric m
            where m.account_id = r.account_id and m.day = r.day and m.landing_page_id = r.landing_page_id
              and m.campaign = '(other)'
          ) then 0 else campaigns_max - (
            select count(*) from (
              select distinct m.campaign from account_metric m
              where m.account_id = r.account_id and m.day = r.day and m.landing_page_id = r.landing_page_id
                and m.campaign <> ''
              order by m.campaign limit campaigns_max -- the index has them in order
            ) one
          ) end
      ) end) over (partition by account_id, day, landing_page_id) as room
      from ranked r
    )
    select account_id, day, landing_page_id, case when is_new and nth > room then '(other)' else campaign end, measure, sum(change)
    from measured group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, day, landing_page_id, campaign, measure)
      do update set value = account_metric.value + excluded.value;
  end $$;

  -- How a change that is not rolled up yet will count, so that readers show no campaign twice.
  create function campaign_counted_as(account_id bigint, day date, landing_page_id bigint, campaign text)
  returns text language sql stable as $$
    select case
      when $4 in ('', '(other)') then $4
      when (select true from account_metric m
            where m.account_id = $1 and m.day = $2 and m.landing_page_id = $3 and m.campaign = $4 limit 1) then $4
      when (select true from account_metric m
            where m.account_id = $1 and m.day = $2 and m.landing_page_id = $3 and m.campaign = '(other)' limit 1) then '(other)'
      else $4 end
  $$;
`;

/**
 * The rollup of metrics admits a limited number of campaigns of a page and day; all others count as `(other)`. Anybody can
 * invent campaigns, and their rows are never deleted. The statements that store leads do not change.
 */
export class Migration20261122230000 extends Migration {
  override up(): void {
    this.addSql(folding);
  }
}
