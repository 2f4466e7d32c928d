// Deliveries are summed up before their platforms are looked up.
const noteDeliveries = (
  changes: string,
) => `insert into metric_increment (account_id, day, landing_page_id, campaign, measure, change)
    select d.account_id, d.day, d.landing_page_id, d.campaign, concat_ws('.', 'deliveries', p.platform, d.state, d.connection_id), sum(d.change)
    from (
      select account_id, connection_id, state, day_of(occurred_at) as day, landing_page_id, campaign, sum(change) as change
      from (${changes}) c
      where conversion_id is not null and not is_test
      group by 1, 2, 3, 4, 5, 6 having sum(change) <> 0
    ) d
    cross join lateral (select platform from platform_connection where id = d.connection_id limit 1) p
    group by 1, 2, 3, 4, 5;`;

const known = (row: string) => `
      left join lateral (
        select true as yes from account_metric m
        where m.account_id = ${row}.account_id and m.day = ${row}.day and m.landing_page_id = ${row}.landing_page_id
          and m.campaign = ${row}.campaign
        limit 1
      ) known on true`;

/** Sums by day: triggers note each change within its statement, and the api rolls the changes up. */
export const metrics = `
  create function day_of(moment timestamptz) returns date language sql immutable parallel safe as $$
    select (moment at time zone 'UTC')::date
  $$;

  create function campaign_of(click_parameters jsonb) returns text language sql immutable parallel safe as $$
    select coalesce(left(click_parameters->>'utm_campaign', 512), '')
  $$;

  -- The text before the first colon, if it looks like a code: what platforms say after it is free text.
  create function reason_code(state text, reason text) returns text language sql immutable parallel safe as $$
        select case when state = 'delivered' then ''
                    when length(split_part(reason, ':', 1)) <= 60
                     and split_part(reason, ':', 1) ~ '^(?:HTTP )?[A-Za-z0-9_./]+$' then split_part(reason, ':', 1)
                    else 'other' end
      $$;

  -- What an account's campaigns came to, by day, landing page and campaign. A total stays a HOT update: no index has the value.
  create table account_metric (
    account_id bigint not null constraint account_metric_account_id_foreign references account,
    day date not null,
    landing_page_id bigint not null,
    campaign text not null,
    measure text not null,
    value numeric not null,
    primary key (account_id, day, landing_page_id, campaign, measure),
    constraint account_metric_landing_page_id_of_account_foreign foreign key (account_id,
        landing_page_id) references landing_page(account_id, id)
  ) with (fillfactor = 80);
  -- its columns never change
  create index account_metric_leads_index on account_metric (account_id, day) where measure = 'leads';

  -- Whatever writes a lead, a client, a conversion or a state of a delivery leaves a row here within the same statement;
  -- nobody waits for a shared counter. The api folds these rows into account_metric.
  create table metric_increment (
    id bigserial primary key,
    account_id bigint not null,
    day date not null,
    landing_page_id bigint not null,
    campaign text not null,
    measure text not null,
    change numeric not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

  -- The delivery outcomes of each connection, and by which keys its platform could match the conversions: counted by the day
  -- of the conversion when a delivery is closed, so that the count outlives the delivery.
  create table quality_day (
    account_id bigint not null constraint quality_day_account_id_foreign references account,
    day date not null,
    connection_id bigint not null,
    platform text not null,
    state text not null,
    reason text not null,
    verdict text not null,
    match_keys int not null,
    currency text not null,
    deliveries bigint not null,
    amount numeric not null,
    primary key (account_id, day, connection_id, state, reason, verdict, match_keys, currency)
  ) with (fillfactor = 80);

  create table quality_increment (
    id bigserial primary key,
    account_id bigint not null,
    day date not null,
    connection_id bigint not null,
    platform text not null,
    state text not null,
    reason text not null,
    verdict text not null,
    match_keys int not null,
    currency text not null,
    change bigint not null,
    amount numeric not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
  create index quality_increment_account_id_day_index on quality_increment (account_id, day);

  -- How a change that is not rolled up yet will count, so that readers show no campaign twice.
  create function campaign_counted_as(account_id bigint, day date, landing_page_id bigint, campaign text,
      measure text) returns text language sql stable as $$
    select case
      when $4 in ('', '(other)') or ($5 <> 'leads' and $2 > current_date - 400) then $4
      when (select true from account_metric m
            where m.account_id = $1 and m.day = $2 and m.landing_page_id = $3 and m.campaign = $4 limit 1) then $4
      when (select true from account_metric m
            where m.account_id = $1 and m.day = $2 and m.landing_page_id = $3 and m.campaign = '(other)' limit 1) then '(other)'
      else $4 end
  $$;

  create function note_leads() returns trigger language plpgsql as $$
  begin
    insert into metric_increment (account_id, day, landing_page_id, campaign, measure, change)
    select account_id, day_of(created_at), landing_page_id,
           case when counts_as_other then '(other)' else campaign_of(click_parameters) end, 'leads', count(*)
    from added group by 1, 2, 3, 4;
    return null;
  end $$;

  -- \`limit 1\` here and below: the planner cannot turn the lookup of a row by its key into a join that reads a whole table.
  create function note_clients() returns trigger language plpgsql as $$
  begin
    insert into metric_increment (account_id, day, landing_page_id, campaign, measure, change)
    select account_id, day_of(created_at), landing_page_id, campaign, 'clients', count(*)
    from added where not is_test group by 1, 2, 3, 4;
    return null;
  end $$;

  create function note_conversions() returns trigger language plpgsql as $$
  begin
    insert into metric_increment (account_id, day, landing_page_id, campaign, measure, change)
    select v.account_id, day_of(coalesce(v.occurred_at, v.created_at)), v.landing_page_id, v.campaign, m.measure, sum(m.change)
    from added v
    cross join lateral (values ('conversions', 1), ('amount.' || v.currency, v.amount)) m (measure, change)
    where not v.is_test
    group by 1, 2, 3, 4, 5;
    return null;
  end $$;

  -- An adjustment counts on the day of its conversion. What is refunded is how far the total is below the original one.
  create function note_adjustments() returns trigger language plpgsql as $$
  begin
    insert into metric_increment (account_id, day, landing_page_id, campaign, measure, change)
    select v.account_id, day_of(coalesce(v.occurred_at, v.created_at)), v.landing_page_id, v.campaign, m.measure, sum(m.change)
    from added a
    cross join lateral (select * from conversion where id = a.conversion_id limit 1) v
    cross join lateral (values
      ('amount.' || v.currency, a.amount - a.previous_amount),
      ('refunded.' || v.currency, greatest(v.amount - a.amount, 0) - greatest(v.amount - a.previous_amount, 0))
    ) m (measure, change)
    where not a.is_test and m.change <> 0
    group by 1, 2, 3, 4, 5;
    return null;
  end $$;

  create function note_added_deliveries() returns trigger language plpgsql as $$
  begin
    ${noteDeliveries('select *, 1 as change from added')}
    return null;
  end $$;

  create function note_changed_deliveries() returns trigger language plpgsql as $$
  begin
    ${noteDeliveries('select *, -1 as change from before_change union all select *, 1 from after_change')}
    return null;
  end $$;

  create function note_quality() returns trigger language plpgsql as $$
  begin
    insert into quality_increment (account_id, day, connection_id, platform, state, reason, verdict, match_keys, currency, change, amount)
    select c.account_id, c.day, c.connection_id, p.platform, c.state, c.reason, c.verdict, c.match_keys, c.currency, c.change, c.amount
    from (
      select d.account_id, d.connection_id, day_of(d.occurred_at) as day, d.state, reason_code(d.state, d.reason) as reason,
             case d.is_confirmed when true then 'used' when false then 'unused' else '' end as verdict,
             coalesce(d.match_keys, -1) as match_keys, v.currency, sum(d.change) as change, sum(d.change * v.amount) as amount
      from (
        select *, -1 as change from before_change where state <> 'pending' and not is_test and conversion_id is not null
        union all
        select *, 1 from after_change where state <> 'pending' and not is_test and conversion_id is not null
      ) d
      cross join lateral (select currency, amount from conversion where id = d.conversion_id limit 1) v
      group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(d.change) <> 0
    ) c
    cross join lateral (select platform from platform_connection where id = c.connection_id limit 1) p;
    return null;
  end $$;

  -- The limit of campaigns counts for leads alone, which anybody can leave. A campaign with a client or a conversion always
  -- has its row, and so has one that brought clients within a month.
  create function roll_up_metrics(changes_max bigint, from_id bigint, campaigns_max bigint, out rolled_up bigint,
      out first_id bigint) returns record language plpgsql as $$
  declare
    taken metric_increment[];
  begin
    with gone as (
      delete from metric_increment where id = any(array(
        select id from metric_increment where id >= from_id order by id limit changes_max for update skip locked))
      returning *
    )
    select count(*), min(gone.id), array_agg(row(gone.*)::metric_increment) into rolled_up, first_id, taken from gone;

    -- One session at a time admits campaigns. Each statement here has a snapshot of its own: the next one sees what was
    -- admitted before.
    if exists (
      select from (select distinct account_id, day, landing_page_id, campaign from unnest(taken)) t ${known('t')}
      where t.campaign not in ('', '(other)') and known.yes is null
    ) then
      perform pg_advisory_xact_lock(hashtextextended('campaigns of metrics', 33));
    end if;

    -- sorted, so that concurrent calls cannot deadlock on each other's sums
    insert into account_metric (account_id, day, landing_page_id, campaign, measure, value)
    with summed as (
      select account_id, day, landing_page_id, campaign, measure, sum(change) as change,
             min(min(id)) over of_campaign as seen, bool_or(bool_or(measure <> 'leads' and day > current_date - 400)) over of_campaign as is_brought
      from unnest(taken) group by 1, 2, 3, 4, 5
      window of_campaign as (partition by account_id, day, landing_page_id, campaign)
    ), compared as (
      select s.*, s.campaign not in ('', '(other)') and known.yes is null and not s.is_brought as is_limited from summed s ${known('s')}
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

  create trigger noted after insert on lead
    referencing new table as added for each statement
    execute function note_leads();

  create trigger noted after insert on client
    referencing new table as added for each statement
    execute function note_clients();

  create trigger noted after insert on conversion
    referencing new table as added for each statement
    execute function note_conversions();

  create trigger noted after insert on conversion_adjustment
    referencing new table as added for each statement
    execute function note_adjustments();

  create trigger change_noted after update on delivery
    referencing old table as before_change new table as after_change for each statement
    execute function note_changed_deliveries();
  create trigger noted after insert on delivery
    referencing new table as added for each statement
    execute function note_added_deliveries();
  create trigger quality_noted after update on delivery
    referencing old table as before_change new table as after_change for each statement
    execute function note_quality();
`;
