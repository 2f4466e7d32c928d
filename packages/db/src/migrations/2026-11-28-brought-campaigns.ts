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
// Whatever is no lead comes from the advertiser's backend. The names of older days may have been dropped.
const isBrought = `measure <> 'leads' and day > current_date - 400`;

const folding = `
  create or replace function roll_up_metrics(
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
             min(min(id)) over of_campaign as seen, bool_or(bool_or(${isBrought})) over of_campaign as is_brought
      from unnest(taken) group by 1, 2, 3, 4, 5
      window of_campaign as (partition by account_id, day, landing_page_id, campaign)
    ), compared as (
      select s.*, ${isNew('s')} and not s.is_brought as is_limited from summed s ${isKnown('s')}
    ), ranked as (
      select *, dense_rank() over (partition by account_id, day, landing_page_id, is_limited order by seen) as nth from compared
    ), measured as (
      -- the names of days whose campaigns were dropped do not come back
      select *, max(case when is_limited and nth = 1 then (
        select case when exists (
            select from account_metric m
            where m.account_id = r.account_id and m.day = r.day and m.landing_page_id = r.landing_page_id
              and m.campaign = '(other)' and r.day <= current_date - 400
          ) then 0 else campaigns_max - (
            select count(*) from (
              select distinct m.campaign from account_metric m
              where m.account_id = r.account_id and m.day = r.day and m.landing_page_id = r.landing_page_id
                and m.campaign not in ('', '(other)')
              order by m.campaign limit campaigns_max -- the index has them in order
            ) one
          ) end
      ) end) over (partition by account_id, day, landing_page_id) as room
      from ranked r
    ), named as (
      select *, is_limited and nth > room and not exists (
        -- a campaign that brought clients within a month
        select from generate_series(1, 30) ago cross join lateral (
          select from account_metric m
          where m.account_id = o.account_id and m.day = o.day - ago and m.landing_page_id = o.landing_page_id
            and m.campaign = o.campaign and m.measure = 'clients'
          limit 1
        ) earlier
      ) as is_other
      from measured o
    )
    select account_id, day, landing_page_id, case when is_other then '(other)' else campaign end, measure, sum(change)
    from named group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, day, landing_page_id, campaign, measure)
      do update set value = account_metric.value + excluded.value;
  end $$;
`;

// How a change that is not rolled up yet will count, so that readers show no campaign twice.
const countedAs = `
  create function campaign_counted_as(account_id bigint, day date, landing_page_id bigint, campaign text, measure text)
  returns text language sql stable as $$
    select case
      when $4 in ('', '(other)') or ($5 <> 'leads' and $2 > current_date - 400) then $4
      when (select true from account_metric m
            where m.account_id = $1 and m.day = $2 and m.landing_page_id = $3 and m.campaign = $4 limit 1) then $4
      when (select true from account_metric m
            where m.account_id = $1 and m.day = $2 and m.landing_page_id = $3 and m.campaign = '(other)' limit 1) then '(other)'
      else $4 end
  $$;
`;

// Each lead is counted once, so it need not find the row of earlier ones.
const leads = `
  create or replace function note_leads() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select account_id, day_of(created_at), landing_page_id,
           case when counts_as_other then '(other)' else campaign_of(click_marks) end, 'leads', count(*)
    from added group by 1, 2, 3, 4;
    return null;
  end $$;
`;

/**
 * The limit of campaigns counts for leads alone, which anybody can leave. A campaign with a client or a conversion always
 * has its row, and so has one that brought clients within a month. Leads of a network that brings too many new campaigns
 * to a page count under `(other)` at once.
 */
export class Migration20261128300000 extends Migration {
  override up(): void {
    this.addSql('alter table lead add column counts_as_other boolean');
    this.addSql(leads);
    this.addSql(folding);
    this.addSql('drop function campaign_counted_as(bigint, date, bigint, text)');
    this.addSql(countedAs);
  }
}
