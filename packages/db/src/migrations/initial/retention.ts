const hasClient = (lead: string) => `(exists (select from client where client.lead_id = ${lead}.id)
      or exists (select from client_lead where client_lead.lead_id = ${lead}.id))`;

const acts = `
  ('platform_request', 'platformRequestsDeleted', 't.check_at is null', 'delete from platform_request where id = any($1)'),
  ('delivery', 'deliveriesDeleted', $c$t.state <> 'pending' and coalesce(t.closed_at, t.created_at) < $3$c$,
   'with attempt as (delete from delivery_attempt where delivery_id = any($1)) delete from delivery where id = any($1)'),
  ('lead', 'leadsDeleted', 'not ${hasClient('t')}', 'delete from lead where id = any($1) and not ${hasClient('lead')}'),
  ('lead', 'leadsStripped', $c$${hasClient('t')} and (
      num_nonnulls(t.click_times, t.unusable_clicks, t.user_agent, t.accept_language, t.referrer, t.landing_url, t.contact, t.email_hash, t.trace_parent) > 0
      or exists (select from jsonb_object_keys(t.click_parameters) mark where not starts_with(mark, 'utm_')))$c$,
   'select from strip_leads($1)'),
  ('webhook_event', 'webhookEventsDeleted',
   $c$not exists (select from delivery d where d.webhook_event_id = t.id and d.state = 'pending')$c$,
   $c$with gone as (delete from delivery where webhook_event_id = any($1) returning id),
        attempt as (delete from delivery_attempt where delivery_id = any(array(select id from gone)))
      delete from webhook_event where id = any($1)$c$)`;

/** What runs once a day, how long data are kept, and how old ones are deleted. */
export const retention = `
  -- The last run of each daily job. An api that is up takes a job for two minutes at a time.
  create table periodic_run (
    name text primary key,
    holder uuid not null,
    began_at timestamptz(6) not null default now(),
    held_until timestamptz(6) not null,
    finished_at timestamptz(6),
    failed_at timestamptz(6),
    outcome jsonb,
    constraint periodic_run_name_check check (name in ('attempt-partitions', 'retention'))
  );

  -- After how many days data are deleted every night. Without a row: never. The api, which deletes, may not write here.
  create table retention_period (
    name text primary key,
    days int not null,
    constraint retention_period_name_check check (name in ('leads', 'attempts', 'imports', 'webhooks', 'campaigns')),
    constraint retention_period_days_check check (days >= 7),
    constraint retention_period_leads_check check (name <> 'leads' or days >= 90),
    constraint retention_period_campaigns_check check (name <> 'campaigns' or days >= 400)
  );

  insert into retention_period (name, days) values ('attempts', 90);

  -- Erases all personal data of these leads. Campaign data stays.
  create function strip_leads(lead_ids bigint[]) returns setof bigint language sql as $$
    update lead set
      click_parameters = coalesce((select jsonb_object_agg(mark.key, mark.value) from jsonb_each(click_parameters) mark
                              where starts_with(mark.key, 'utm_') or starts_with(mark.key, 'gad_')), '{}'),
      click_times = null, unusable_clicks = null, user_agent = null, accept_language = null, referrer = null, landing_url = null,
      contact = null, email_hash = null, trace_parent = null
    where id = any(lead_ids) returning id
  $$;

  -- Deletes one batch of what is older than so many days, from the oldest on, in one transaction. Null as the next cursor:
  -- there is no more. Rows are locked by one statement and changed by the next, whose snapshot has what was committed
  -- before they were locked, such as the client of a lead; locked rows are left to the next run. Ids grow with time: a row
  -- that was written late, between newer ones, waits until they have expired as well.
  create function trim_expired(what text, kept_days int, cursor_at text, only_counts boolean, out next_cursor text, out changed jsonb)
  language plpgsql set timezone to 'UTC' as $$
  declare
    kept_since timestamptz := now() - kept_days * interval '1 day';
    first_kept date := current_date - kept_days;
    after_id bigint := coalesce(nullif(split_part(cursor_at, ':', 1), '')::bigint, 0);
    after_day date := coalesce(nullif(split_part(cursor_at, ':', 2), '')::date, '-infinity');
    last_id bigint;
    is_old boolean;
    found_day date;
    act record;
    ids bigint[];
    n bigint;
  begin
    changed := '{}';
    if what in ('lead', 'delivery', 'webhook_event', 'platform_request') then
      execute format('select max(id), bool_or(created_at < $1) from (
          select id, created_at from %I where id > $2 order by id limit 500) stretch', what)
        into last_id, is_old using kept_since, after_id;
      if last_id is null or is_old is not true then return; end if;
      next_cursor := last_id;
      for act in select * from (values ${acts}) a (of_table, label, concerns, change) where of_table = what loop
        execute format('select array(select t.id from %I t where t.id > $1 and t.id <= $2 and t.created_at < $3 and %s %s)',
            what, act.concerns, case when only_counts then '' else 'for update of t skip locked' end)
          into ids using after_id, last_id, kept_since;
        n := cardinality(ids);
        if n > 0 and not only_counts then
          execute act.change using ids;
          get diagnostics n = row_count;
        end if;
        changed := changed || jsonb_build_object(act.label, n);
      end loop;

    elsif what = 'consent_withdrawal' then
      if only_counts then select count(*) into n from consent_withdrawal w where w.asked_at < kept_since;
      else
        delete from consent_withdrawal w where w.asked_at < kept_since;
        get diagnostics n = row_count;
      end if;
      changed := jsonb_build_object('withdrawalsDeleted', n);

    elsif what = 'import' then
      if only_counts then
        select count(*) into n from import i where i.created_at < kept_since and i.finished_at is not null;
      else
        select i.id into last_id from import i
        where i.id >= after_id and i.created_at < kept_since and i.finished_at is not null order by i.id limit 1;
        if last_id is null then return; end if;
        next_cursor := last_id;
        delete from import_row r where r.ctid = any(array(select o.ctid from import_row o where o.import_id = last_id limit 5000));
        if exists (select from import_row r where r.import_id = last_id) then return; end if;
        delete from import i where i.id = last_id;
        get diagnostics n = row_count;
      end if;
      changed := jsonb_build_object('importsDeleted', n);

    elsif what = 'reconciliation' then
      if only_counts then select count(*) into n from reconciliation r where r.created_at < kept_since;
      else
        select r.id into last_id from reconciliation r
        where r.id >= after_id and r.created_at < kept_since order by r.id limit 1;
        if last_id is null then return; end if;
        next_cursor := last_id;
        -- ends the work on it
        update reconciliation r
        set step = case when r.step = 'receive' then r.step end, finished_at = coalesce(r.finished_at, clock_timestamp()),
            due_at = clock_timestamp() + interval '1 hour'
        where r.id = last_id;
        delete from reconciliation_row r where r.reconciliation_id = last_id and r.number <= (
          select max(o.number) from (select number from reconciliation_row
            where reconciliation_id = last_id order by number limit 2000) o);
        if exists (select from reconciliation_row r where r.reconciliation_id = last_id) then return; end if;
        delete from reconciliation r where r.id = last_id;
        get diagnostics n = row_count;
      end if;
      changed := jsonb_build_object('reconciliationsDeleted', n);

    -- A campaign's text comes from a URL, and may name a person: it becomes (other), a day of an account at once. What
    -- arrives late for such a day counts as (other) too: its row is there. Sorted as the rollup sorts.
    elsif what = 'account_metric' then
      if only_counts then
        select count(*) into n from account_metric m where m.day < first_kept and has_words(m.campaign);
        changed := jsonb_build_object('campaignRows', n);
        return;
      end if;
      select a.id, d.day into last_id, found_day
      from account a cross join lateral (
        select m.day from account_metric m
        where m.account_id = a.id and m.day < first_kept and has_words(m.campaign)
          and m.day > case when a.id = after_id then after_day else '-infinity' end
        order by m.account_id, m.day limit 1) d
      where a.id >= after_id order by a.id limit 1;
      if last_id is null then return; end if;
      next_cursor := last_id || ':' || found_day;
      with gone as (
        delete from account_metric m where m.account_id = last_id and m.day = found_day and has_words(m.campaign)
        returning m.landing_page_id, other_of(m.campaign) as campaign, m.measure, m.value
      )
      insert into account_metric (account_id, day, landing_page_id, campaign, measure, value)
      select last_id, found_day, g.landing_page_id, g.campaign, g.measure, sum(g.value) from gone g
      group by g.landing_page_id, g.campaign, g.measure order by g.landing_page_id, g.campaign, g.measure
      on conflict (account_id, day, landing_page_id, campaign, measure)
        do update set value = account_metric.value + excluded.value;
      changed := jsonb_build_object('campaignDaysTrimmed', 1);

    else raise invalid_parameter_value using message = format('nothing of %s expires', what);
    end if;
  end $$;

  -- The same for the api: as many days as the table says, which the caller cannot change.
  create function apply_retention(what text, cursor_at text, out next_cursor text, out changed jsonb) language plpgsql as $$
  declare kept_days int;
  begin
    select p.days into kept_days from retention_period p where p.name = case what
      when 'platform_request' then 'attempts' when 'delivery' then 'leads' when 'lead' then 'leads'
      when 'consent_withdrawal' then 'leads' when 'webhook_event' then 'webhooks' when 'import' then 'imports'
      when 'reconciliation' then 'imports' when 'account_metric' then 'campaigns' end;
    changed := '{}';
    if kept_days is null then return; end if;
    select t.next_cursor, t.changed into next_cursor, changed from trim_expired(what, kept_days, cursor_at, false) t;
  end $$;

  create function attempt_partitions() returns table(name text, since timestamptz, until timestamptz)
  language sql stable set timezone to 'UTC' set datestyle to 'ISO' as $$
    select named.name, (regexp_match(bound, 'FROM \\(''([^'']+)''\\)'))[1]::timestamptz,
           (regexp_match(bound, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz
    from pg_inherits join pg_class c on c.oid = inhrelid
    cross join lateral (select relname::text as name, pg_get_expr(relpartbound, c.oid) as bound) named
    where inhparent = 'delivery_attempt'::regclass and bound <> 'DEFAULT'
  $$;

  -- What is to be done, in this order: attempts that came without a partition of their own get one, which the default one
  -- becomes; this month and the next three have one; those in which all is older than so many days are dropped.
  create function attempt_partition_plan(kept_days int)
  returns table(act text, partition text, since timestamptz, until timestamptz)
  language plpgsql stable set timezone to 'UTC' set datestyle to 'ISO' as $$
  #variable_conflict use_column
  declare
    this_month timestamptz := date_trunc('month', now());
    is_covered boolean := exists (select from attempt_partitions() p
      where now() < p.until and (p.since is null or now() >= p.since));
    earliest timestamptz;
    latest timestamptz;
    adopted_since timestamptz;
    adopted_until timestamptz;
    month timestamptz;
    last_month text;
  begin
    select min(d.created_at), max(d.created_at) into earliest, latest from delivery_attempt_default d;
    if earliest is not null or not is_covered then
      adopted_since := date_trunc('month', coalesce(earliest, now()));
      -- weeks ahead, so that no row is rejected if this is interrupted after the bounds are set
      adopted_until := greatest(date_trunc('month', latest) + interval '1 month',
        case when not is_covered then this_month + interval '2 months' end);
      last_month := to_char(adopted_until - interval '1 month', 'YYYY_MM');
      return query select 'adopt', concat('delivery_attempt_', to_char(adopted_since, 'YYYY_MM'),
        case when last_month <> to_char(adopted_since, 'YYYY_MM') then '_to_' || last_month end), adopted_since, adopted_until;
    end if;
    for month in select this_month + ahead * interval '1 month' from generate_series(0, 3) ahead loop
      continue when month >= adopted_since and month < adopted_until;
      continue when exists (select from attempt_partitions() p
        where month < p.until and (p.since is null or month >= p.since));
      return query select 'make', 'delivery_attempt_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month';
    end loop;
    if kept_days is null then return; end if;
    return query select 'drop', p.name, p.since, p.until from attempt_partitions() p
      where p.until <= now() - kept_days * interval '1 day' order by p.until;
  end $$;

  -- Does the first thing of the plan, or a step of it, in one transaction; null: there is nothing to do. Statements that come
  -- after a waiting lock request have to wait as well, so it waits 0.2 s at most for a lock. That all rows are within the
  -- bounds of the partition that the default one becomes is checked beforehand, without blocking other statements.
  create function change_attempt_partitions(kept_days int, out act text, out partition text)
  language plpgsql set timezone to 'UTC' set datestyle to 'ISO' set lock_timeout to '200ms' as $$
  declare
    step record;
    checked record;
    bounds text;
  begin
    perform pg_advisory_xact_lock(7236118403);
    select * into step from attempt_partition_plan(kept_days) limit 1;
    if not found then return; end if;
    bounds := format('for values from (%L) to (%L)', step.since, step.until);
    if step.act = 'adopt' then
      select conname, convalidated into checked from pg_constraint
      where conrelid = 'delivery_attempt_default'::regclass and conname like 'adopted\\_%' limit 1;
      act := 'prepare';
      if checked.conname is null or checked.conname <> 'adopted_' || step.partition then
        lock table only delivery_attempt_default in access exclusive mode;
        if checked.conname is not null then
          execute format('alter table delivery_attempt_default drop constraint %I', checked.conname);
        end if;
        execute format('alter table delivery_attempt_default add constraint %I check (created_at >= %L and created_at < %L) not valid',
          'adopted_' || step.partition, step.since, step.until);
        return;
      end if;
      if not checked.convalidated then
        execute format('alter table delivery_attempt_default validate constraint %I', checked.conname);
        return;
      end if;
    end if;
    lock table only delivery_attempt in access exclusive mode;
    if step.act = 'adopt' then
      alter table delivery_attempt detach partition delivery_attempt_default;
      execute format('alter table delivery_attempt_default rename to %I', step.partition);
      execute format('alter table delivery_attempt attach partition %I %s', step.partition, bounds);
      execute format('alter table %I drop constraint %I', step.partition, checked.conname);
      create table delivery_attempt_default partition of delivery_attempt default;
    elsif step.act = 'make' then
      execute format('create table %I partition of delivery_attempt %s', step.partition, bounds);
    else
      execute format('drop table %I', step.partition);
    end if;
    act := step.act;
    partition := step.partition;
  end $$;

  -- The same for the api, with the days of the table.
  create function keep_attempt_partitions(out act text, out partition text) language sql as $$
    select c.act, c.partition
    from change_attempt_partitions((select days from retention_period where name = 'attempts')) c
  $$`;
