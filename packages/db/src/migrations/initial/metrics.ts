const summedUp = 'account_id, at, landing_page_id, campaign, measure, change';

const countedLeads = (rows: string) => `
    select account_id, slot_of(created_at) as at, landing_page_id,
           case when counts_as_other then other_of(campaign_of(click_parameters, click_times)) else campaign_of(click_parameters, click_times) end as campaign, 'leads' as measure, count(*) as change
    from ${rows} group by 1, 2, 3, 4`;

const countedClients = (rows: string) => `
    select account_id, slot_of(created_at) as at, landing_page_id, campaign, 'clients' as measure, count(*) as change
    from ${rows} where not is_test group by 1, 2, 3, 4`;

const countedConversions = (rows: string) => `
    select v.account_id, slot_of(coalesce(v.occurred_at, v.created_at)) as at, v.landing_page_id, v.campaign, m.measure, sum(m.change) as change
    from ${rows} v
    cross join lateral (values ('conversions', 1), ('amount.' || v.currency, v.amount)) m (measure, change)
    where not v.is_test
    group by 1, 2, 3, 4, 5`;

// An adjustment counts on the day of its conversion. What is refunded is how far the total is below the original one.
// `limit 1` here and below: the planner cannot turn the lookup of a row by its key into a join that reads a whole table.
const countedAdjustments = (rows: string) => `
    select v.account_id, slot_of(coalesce(v.occurred_at, v.created_at)) as at, v.landing_page_id, v.campaign, m.measure, sum(m.change) as change
    from ${rows} a
    cross join lateral (select * from conversion where id = a.conversion_id limit 1) v
    cross join lateral (values
      ('amount.' || v.currency, a.amount - a.previous_amount),
      ('refunded.' || v.currency, greatest(v.amount - a.amount, 0) - greatest(v.amount - a.previous_amount, 0))
    ) m (measure, change)
    where not a.is_test and m.change <> 0
    group by 1, 2, 3, 4, 5`;

// Deliveries are summed up before their platforms are looked up.
const countedDeliveries = (changes: string) => `
    select d.account_id, d.at, d.landing_page_id, d.campaign, concat_ws('.', 'deliveries', p.platform, d.state, d.connection_id) as measure, sum(d.change) as change
    from (
      select account_id, connection_id, state, slot_of(occurred_at) as at, landing_page_id, campaign, sum(change) as change
      from (${changes}) c
      where conversion_id is not null and not is_test
      group by 1, 2, 3, 4, 5, 6 having sum(change) <> 0
    ) d
    cross join lateral (select platform from platform_connection where id = d.connection_id limit 1) p
    group by 1, 2, 3, 4, 5`;

/** Changes with the day on which they count. */
const dated = (changes: string) =>
  `(select i.*, day_of(i.at, (select time_zone from account where id = i.account_id)) as day from ${changes} i) dated`;

const known = (row: string) => `
      left join lateral (
        select true as yes from account_metric m
        where m.account_id = ${row}.account_id and m.day = ${row}.day and m.landing_page_id = ${row}.landing_page_id
          and m.campaign = ${row}.campaign
        limit 1
      ) known on true`;

/** How closed deliveries of conversions count in the quality of their connections. */
const countedQuality = (changes: string) => `
      select d.account_id, d.connection_id, slot_of(d.occurred_at) as at, d.state, reason_code(d.state, d.reason) as reason,
             case d.is_confirmed when true then 'used' when false then 'unused' else '' end as verdict,
             coalesce(d.match_keys, -1) as match_keys, v.currency, sum(d.change) as change, sum(d.change * v.amount) as amount
      from (select * from (${changes}) c where state <> 'pending' and not is_test and conversion_id is not null) d
      cross join lateral (select currency, amount from conversion where id = d.conversion_id limit 1) v
      group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(d.change) <> 0`;

// Written out, because a migration does the same for ever: a platform or a click id that comes after a release needs one that
// makes `campaign_of` again. Meta is the last one: it marks every link of its apps.
const sources: readonly (readonly [string, readonly string[]])[] = [
  ['google', ['gclid', 'gbraid', 'wbraid']],
  ['tiktok', ['ttclid']],
  ['linkedin', ['li_fat_id']],
  ['microsoft', ['msclkid']],
  ['pinterest', ['epik']],
  ['snapchat', ['ScCid']],
  ['x', ['twclid']],
  ['reddit', ['rdt_cid']],
  ['openai', ['oppref']],
  ['meta', ['fbclid']],
];
const clickIds = sources.flatMap(([platform, names]) => names.map((name) => `('${name}', '${platform}')`)).join(', ');

// what a lead has as a click id is one: templates and placeholders are kept apart when it is read
const isOwn = (name: string) => `click_parameters ? '${name}' and not coalesce(click_times ? '${name}', false)`;

const ownClickIds = sources
  .map(([platform, names]) => `when ${names.map(isOwn).join(' or ')} then '${platform}'`)
  .join('\n                     ');

/** Sums by day: triggers note each change within its statement, and the api rolls the changes up. */
export const metrics = `
  create function day_of(moment timestamptz, time_zone text) returns date language sql immutable parallel safe as $$
    select (moment at time zone time_zone)::date
  $$;

  -- A day may begin at one o'clock, where the clocks are put forward at midnight. If they are put back to midnight, it begins
  -- at the first one.
  create function start_of_day(day date, time_zone text) returns timestamptz language sql immutable parallel safe as $$
    select case when day_of(moment - interval '1 hour', time_zone) = day then moment - interval '1 hour' else moment end
    from (select day::timestamp at time zone time_zone as moment) midnight
  $$;

  -- What is counted knows the quarter of an hour, and no day: every time zone begins its days with one of them.
  create function slot_of(moment timestamptz) returns timestamptz language sql immutable parallel safe as $$
    select date_bin('15 minutes', moment, timestamptz '2000-01-01 00:00:00Z')
  $$;

  -- What a parameter says, at most so many characters of it. Null: nothing, or a template that nobody filled.
  create function read_said(value text, characters int) returns text language plpgsql immutable strict parallel safe as $$
  declare
    said text := btrim(translate(value, chr(31), ' '));
    filled text := said;
  begin
    if said ~ '[{%[<]|__|[*][|]' then
      filled := regexp_replace(said, '[$]?[{]+[^{}]*[}]+|__[A-Za-z0-9_]+__|%%[^%]*%%|\\[[A-Z]+_[A-Z_]+\\]|<[A-Za-z_.]+>|[*][|][^|]*[|][*]|(%7[Bb])+[^%]*(%7[Dd])+', '', 'g');
    end if;
    if btrim(filled, ' |/_.,:;+-') = '' or lower(said) in ('null', 'undefined', 'nan', 'none', '(none)', '(not set)', 'n/a') then
      return null;
    end if;
    return btrim(left(said, characters));
  end $$;

  -- The same, at a third of its cost for what is plain text: PostgreSQL puts this expression into that of the caller.
  create function said_by(value text, characters int) returns text language sql immutable parallel safe as $$
    select case when value ~ '^[A-Za-z0-9\\u00A0-\\U0010FFFF](?:[_ ]?[A-Za-z0-9.\\-\\u00A0-\\U0010FFFF])*$'
                 and lower(value) not in ('null', 'undefined', 'nan', 'none') then btrim(left(value, characters))
                else read_said(value, characters) end
  $$;

  -- How a click is counted: its campaign, platform, source, medium, term, content and the id of its campaign, in this order. Few
  -- clicks have all; what is missing at the end is left out, so that '' is a click that says nothing. It is a key of an
  -- index, which takes 2,700 bytes.
  create function click_key(campaign text, platform text, source text, medium text, term text, content text, id text)
  returns text language sql immutable parallel safe as $$
    select rtrim(coalesce(campaign, '') || chr(31) || coalesce(platform, '') || chr(31) || coalesce(source, '') || chr(31)
                 || coalesce(medium, '') || chr(31) || coalesce(term, '') || chr(31) || coalesce(content, '') || chr(31)
                 || coalesce(id, ''), chr(31))
  $$;

  create function click_part(key text, part text) returns text language sql immutable parallel safe as $$
    select split_part(key, chr(31), case part when 'campaign' then 1 when 'platform' then 2 when 'source' then 3 when 'medium' then 4
                                              when 'term' then 5 when 'content' then 6 else 7 end)
  $$;

  -- The same click without its words.
  create function other_of(key text) returns text language sql immutable parallel safe as $$
    select rtrim('(other)' || chr(31) || split_part(key, chr(31), 2), chr(31))
  $$;

  -- The same click without the words that change most.
  create function brief_of(key text) returns text language sql immutable parallel safe as $$
    select click_key(split_part(key, chr(31), 1), split_part(key, chr(31), 2), split_part(key, chr(31), 3),
                     split_part(key, chr(31), 4), '', '', split_part(key, chr(31), 7))
  $$;

  -- Whether it has words, which anybody can invent; platforms are few.
  create function has_words(key text) returns boolean language sql immutable parallel safe as $$
    select key not in ('', '(other)', rtrim(chr(31) || split_part(key, chr(31), 2), chr(31)), other_of(key))
  $$;

  -- Its own click id says from which platform a visit came: first the ids that only ads have. A visit that says nothing of
  -- where it came from came by the click that its browser remembers.
  create function campaign_of(click_parameters jsonb, click_times jsonb) returns text language plpgsql immutable parallel safe as $$
  declare
    platform text;
    name text;
    id text;
  begin
    if click_parameters = '{}' then return ''; end if;
    platform := case ${ownClickIds}
                     when said_by(click_parameters->>'gad_campaignid', 1) is not null
                       or said_by(click_parameters->>'gad_source', 1) is not null then 'google' end;
    -- an \`exists\` in the condition itself would be planned as a query for each click
    if platform is null and click_times <> '{}' then
      if not exists (select from jsonb_object_keys(click_parameters) said where starts_with(said, 'utm_')) then
        select i.platform into platform
        from (values ${clickIds}) i (name, platform)
        where click_parameters ? i.name and click_times ? i.name
        order by click_times->>i.name desc limit 1;
      end if;
    end if;
    if not click_parameters ?| array['utm_campaign', 'utm_source', 'utm_medium', 'utm_term', 'utm_content', 'utm_id', 'gad_campaignid'] then
      return coalesce(chr(31) || platform, '');
    end if;
    name := said_by(click_parameters->>'utm_campaign', 255);
    id := coalesce(said_by(click_parameters->>'gad_campaignid', 32), said_by(click_parameters->>'utm_id', 32));
    -- the ids of all platforms are long numbers
    if name ~ '^[0-9]{6,32}$' then
      id := coalesce(id, name);
      name := null;
    end if;
    return click_key(name, platform, lower(said_by(click_parameters->>'utm_source', 50)),
      lower(said_by(click_parameters->>'utm_medium', 50)), said_by(click_parameters->>'utm_term', 80),
      said_by(click_parameters->>'utm_content', 80), id);
  end $$;

  -- The text before the first colon, if it looks like a code: what platforms say after it is free text.
  create function reason_code(state text, reason text) returns text language sql immutable parallel safe as $$
        select case when state = 'delivered' then ''
                    when length(split_part(reason, ':', 1)) <= 60
                     and split_part(reason, ':', 1) ~ '^(?:HTTP )?[A-Za-z0-9_./]+$' then split_part(reason, ':', 1)
                    else 'other' end
      $$;

  -- What an account's campaigns came to, by its days, landing page and campaign (a \`click_key\`). A total stays a HOT update: no index has the value.
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
    at timestamptz not null,
    landing_page_id bigint not null,
    campaign text not null,
    measure text not null,
    change numeric not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

  -- The delivery outcomes of each connection, and by which keys its platform could match the conversions: counted by the day
  -- of the conversion, of the account's days, when a delivery is closed, so that the count outlives the delivery.
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
    at timestamptz not null,
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
  create index quality_increment_account_id_at_index on quality_increment (account_id, at);

  -- How a change that is not rolled up yet will count, so that readers show no campaign twice.
  create function campaign_counted_as(account_id bigint, day date, landing_page_id bigint, campaign text,
      measure text) returns text language sql stable as $$
    select case
      when not has_words($4) or ($5 <> 'leads' and $2 > current_date - 400) then $4
      when (select true from account_metric m
            where m.account_id = $1 and m.day = $2 and m.landing_page_id = $3 and m.campaign = $4 limit 1) then $4
      when (select true from account_metric m
            where m.account_id = $1 and m.day = $2 and m.landing_page_id = $3 and m.campaign = brief_of($4) limit 1) then brief_of($4)
      when (select true from account_metric m
            where m.account_id = $1 and m.day = $2 and m.landing_page_id = $3 and m.campaign = other_of($4) limit 1) then other_of($4)
      else $4 end
  $$;

  create function note_leads() returns trigger language plpgsql as $$
  begin
    insert into metric_increment (${summedUp}) ${countedLeads('added')};
    return null;
  end $$;

  create function note_clients() returns trigger language plpgsql as $$
  begin
    insert into metric_increment (${summedUp}) ${countedClients('added')};
    return null;
  end $$;

  create function note_conversions() returns trigger language plpgsql as $$
  begin
    insert into metric_increment (${summedUp}) ${countedConversions('added')};
    return null;
  end $$;

  create function note_adjustments() returns trigger language plpgsql as $$
  begin
    insert into metric_increment (${summedUp}) ${countedAdjustments('added')};
    return null;
  end $$;

  create function note_added_deliveries() returns trigger language plpgsql as $$
  begin
    insert into metric_increment (${summedUp}) ${countedDeliveries('select *, 1 as change from added')};
    return null;
  end $$;

  create function note_changed_deliveries() returns trigger language plpgsql as $$
  begin
    insert into metric_increment (${summedUp}) ${countedDeliveries('select *, -1 as change from before_change union all select *, 1 from after_change')};
    return null;
  end $$;

  create function note_quality() returns trigger language plpgsql as $$
  begin
    insert into quality_increment (account_id, at, connection_id, platform, state, reason, verdict, match_keys, currency, change, amount)
    select c.account_id, c.at, c.connection_id, p.platform, c.state, c.reason, c.verdict, c.match_keys, c.currency, c.change, c.amount
    from (${countedQuality('select *, -1 as change from before_change union all select *, 1 from after_change')}) c
    cross join lateral (select platform from platform_connection where id = c.connection_id limit 1) p;
    return null;
  end $$;

  -- The limit of campaigns counts for leads alone, which anybody can leave. Beyond it, terms and contents go first; beyond twice
  -- the limit, campaigns. A campaign with a client or a conversion always
  -- has its row, and so has one that brought clients within a month.
  create function roll_up_metrics(changes_max bigint, from_id bigint, campaigns_max bigint, out rolled_up bigint,
      out first_id bigint) returns record language plpgsql as $$
  declare
    taken metric_increment[];
  begin
    -- A change of time zone counts the days of an account again. The statements below see the zone that it left.
    if not pg_try_advisory_xact_lock_shared(hashtextextended('days of accounts', 33)) then
      rolled_up := 0;
      return;
    end if;

    with gone as (
      delete from metric_increment where id = any(array(
        select id from metric_increment where id >= from_id order by id limit changes_max for update skip locked))
      returning *
    )
    select count(*), min(gone.id), array_agg(row(gone.*)::metric_increment) into rolled_up, first_id, taken from gone;

    -- One session at a time admits campaigns. Each statement here has a snapshot of its own: the next one sees what was
    -- admitted before.
    if exists (
      select from (select distinct account_id, day, landing_page_id, campaign from ${dated('unnest(taken)')}) t ${known('t')}
      where has_words(t.campaign) and known.yes is null
    ) then
      perform pg_advisory_xact_lock(hashtextextended('campaigns of metrics', 33));
    end if;

    -- sorted, so that concurrent calls cannot deadlock on each other's sums
    insert into account_metric (account_id, day, landing_page_id, campaign, measure, value)
    with summed as (
      select account_id, day, landing_page_id, campaign, measure, sum(change) as change,
             min(min(id)) over of_campaign as seen, bool_or(bool_or(measure <> 'leads' and day > current_date - 400)) over of_campaign as is_brought
      from ${dated('unnest(taken)')} group by 1, 2, 3, 4, 5
      window of_campaign as (partition by account_id, day, landing_page_id, campaign)
    ), compared as (
      select s.*, has_words(s.campaign) and known.yes is null and not s.is_brought as is_limited from summed s ${known('s')}
    ), ranked as (
      select *, dense_rank() over (partition by account_id, day, landing_page_id, is_limited order by seen) as nth from compared
    ), measured as (
      -- the names of days whose campaigns were dropped do not come back
      select *, max(case when is_limited and nth = 1 then (
        select case when exists (
            select from account_metric m
            where m.account_id = r.account_id and m.day = r.day and m.landing_page_id = r.landing_page_id
              and click_part(m.campaign, 'campaign') = '(other)' and r.day <= current_date - 400
          ) then 0 else 2 * campaigns_max - (
            select count(*) from (
              select distinct m.campaign from account_metric m
              where m.account_id = r.account_id and m.day = r.day and m.landing_page_id = r.landing_page_id
                and has_words(m.campaign)
              order by m.campaign limit 2 * campaigns_max -- the index has them in order
            ) one
          ) end
      ) end) over (partition by account_id, day, landing_page_id) as room
      from ranked r
    ), named as (
      select *, is_limited and nth > room - campaigns_max and not exists (
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
    select account_id, day, landing_page_id,
           case when not is_other then campaign
                when brief_of(campaign) <> campaign and (nth <= room or (
                  select true from account_metric m
                  where m.account_id = n.account_id and m.day = n.day and m.landing_page_id = n.landing_page_id
                    and m.campaign = brief_of(n.campaign)
                  limit 1)) then brief_of(campaign)
                else other_of(campaign) end, measure, sum(change)
    from named n group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, day, landing_page_id, campaign, measure)
      do update set value = account_metric.value + excluded.value;
  end $$;

  -- Adds quality_increment to quality_day.
  create function roll_up_quality(changes_max bigint, from_id bigint, out rolled_up bigint, out first_id bigint)
  returns record language plpgsql as $$
  begin
    if not pg_try_advisory_xact_lock_shared(hashtextextended('days of accounts', 33)) then
      rolled_up := 0;
      return;
    end if;
    with taken as (
      delete from quality_increment where id = any(array(
        select id from quality_increment where id >= from_id order by id limit changes_max for update skip locked))
      returning *
    ), summed as (
      insert into quality_day (account_id, day, connection_id, state, reason, verdict, match_keys, currency, platform,
                               deliveries, amount)
      select account_id, day, connection_id, state, reason, verdict, match_keys, currency, min(platform), sum(change),
             sum(amount)
      from ${dated('taken')} group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8
      on conflict (account_id, day, connection_id, state, reason, verdict, match_keys, currency)
        do update set deliveries = quality_day.deliveries + excluded.deliveries,
                      amount = quality_day.amount + excluded.amount
    )
    select count(*), min(taken.id) into rolled_up, first_id from taken;
  end $$;

  -- Counts the days of an account again in another time zone. What is rolled up is what the tables hold without the changes
  -- that are not: each statement sees both as of one moment, and nothing is rolled up meanwhile, so that registrations need
  -- not wait. What retention has deleted keeps its days.
  create function change_time_zone(of_account bigint, zone_after text, out zone_before text) language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(hashtextextended('days of accounts', 33));
    select time_zone into zone_before from account where id = of_account for update;
    if zone_before is null or zone_before = zone_after then return; end if;
    update account set time_zone = zone_after where id = of_account;

    with counted as (
      ${countedLeads('(select * from lead where account_id = of_account) of_its')}
      union all ${countedClients('(select * from client where account_id = of_account) of_its')}
      union all ${countedConversions('(select * from conversion where account_id = of_account)')}
      union all ${countedAdjustments('(select * from conversion_adjustment where account_id = of_account)')}
      union all ${countedDeliveries('select *, 1 as change from delivery where account_id = of_account')}
      union all select account_id, at, landing_page_id, campaign, measure, -change from metric_increment where account_id = of_account
    ), moved as (
      select day_of(at, zone_before) as day_before, day_of(at, zone_after) as day_after, landing_page_id, campaign, measure,
             sum(change) as change
      from counted where day_of(at, zone_before) <> day_of(at, zone_after) group by 1, 2, 3, 4, 5 having sum(change) <> 0
    ), named as (
      -- Of a campaign beyond the limit, or one whose name was dropped, \`(other)\` has the sum; of erased leads, nobody knows.
      select m.day_before, m.day_after, m.landing_page_id, counted_as.campaign, m.measure, m.change
      from moved m cross join lateral (
        select s.campaign from account_metric s
        where s.account_id = of_account and s.day = m.day_before and s.landing_page_id = m.landing_page_id
          and s.campaign in (m.campaign, brief_of(m.campaign), other_of(m.campaign)) and s.measure = m.measure and (m.measure <> 'leads' or s.value >= m.change)
        order by s.campaign = m.campaign desc, s.campaign = brief_of(m.campaign) desc limit 1
      ) counted_as
    )
    insert into account_metric (account_id, day, landing_page_id, campaign, measure, value)
    select of_account, day, landing_page_id, campaign, measure, sum(change) from (
      select day_before as day, landing_page_id, campaign, measure, -change as change from named
      union all
      select day_after, landing_page_id, campaign, measure, change from named
    ) both_days
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, day, landing_page_id, campaign, measure)
      do update set value = account_metric.value + excluded.value;

    with counted as (
      ${countedQuality('select *, 1 as change from delivery where account_id = of_account')}
      union all
      select account_id, connection_id, at, state, reason, verdict, match_keys, currency, -change, -amount
      from quality_increment where account_id = of_account
    ), moved as (
      select connection_id, day_of(at, zone_before) as day_before, day_of(at, zone_after) as day_after, state, reason, verdict,
             match_keys, currency, sum(change) as change, sum(amount) as amount
      from counted where day_of(at, zone_before) <> day_of(at, zone_after) group by 1, 2, 3, 4, 5, 6, 7, 8
    )
    insert into quality_day (account_id, day, connection_id, state, reason, verdict, match_keys, currency, platform,
                             deliveries, amount)
    select of_account, day, connection_id, state, reason, verdict, match_keys, currency,
           (select platform from platform_connection where id = connection_id), sum(change), sum(amount)
    from (
      select day_before as day, connection_id, state, reason, verdict, match_keys, currency, -change as change, -amount as amount from moved
      union all
      select day_after, connection_id, state, reason, verdict, match_keys, currency, change, amount from moved
    ) both_days
    group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (account_id, day, connection_id, state, reason, verdict, match_keys, currency)
      do update set deliveries = quality_day.deliveries + excluded.deliveries,
                    amount = quality_day.amount + excluded.amount;
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
