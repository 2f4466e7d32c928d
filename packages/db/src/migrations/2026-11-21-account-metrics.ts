import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry } from '../change-with-lock-retry.ts';

const tables = ['lead', 'client', 'conversion', 'feedback'] as const;

// from the beginning, where an earlier run was cut off
const counting = `
  drop trigger if exists noted on lead;
  drop trigger if exists noted on client;
  drop trigger if exists noted on conversion;
  drop trigger if exists noted on feedback;
  drop trigger if exists change_noted on feedback;
  drop table if exists account_metric, metric_change;

  create table account_metric (
    account_id bigint not null constraint account_metric_account_id_foreign references account,
    day date not null,
    landing_page_id bigint not null constraint account_metric_landing_page_id_foreign references landing_page,
    campaign text not null,
    measure text not null,
    value numeric(24, 2) not null,
    primary key (account_id, day, landing_page_id, campaign, measure)
  ) with (fillfactor = 80);

  create table metric_change (
    id bigserial primary key,
    account_id bigint not null,
    day date not null,
    landing_page_id bigint not null,
    campaign text not null,
    measure text not null,
    change numeric(24, 2) not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

  -- the length that the landing page cuts a mark at: what is longer would not fit into an index
  create or replace function campaign_of(click_marks jsonb) returns text language sql immutable parallel safe as $$
    select coalesce(left(click_marks->>'utm_campaign', 512), '')
  $$;
  create or replace function day_of(moment timestamptz) returns date language sql immutable parallel safe as $$
    select (moment at time zone 'UTC')::date
  $$;

  create or replace function note_leads() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select account_id, day_of(created_at), landing_page_id, campaign_of(click_marks), 'leads', count(*)
    from added group by 1, 2, 3, 4;
    return null;
  end $$;

  create or replace function note_clients() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select c.account_id, day_of(c.created_at), l.landing_page_id, campaign_of(l.click_marks), 'clients', count(*)
    from added c join lead l on l.id = c.lead_id group by 1, 2, 3, 4;
    return null;
  end $$;

  create or replace function note_conversions() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select v.account_id, day_of(v.created_at), l.landing_page_id, campaign_of(l.click_marks), m.measure, sum(m.change)
    from added v
    join client c on c.id = v.client_id
    join lead l on l.id = c.lead_id
    cross join lateral (values ('conversions', 1), ('amount.' || v.currency, v.amount)) m (measure, change)
    where not v.is_test
    group by 1, 2, 3, 4, 5;
    return null;
  end $$;

  create or replace function note_added_feedback() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select f.account_id, day_of(v.created_at), l.landing_page_id, campaign_of(l.click_marks),
           concat_ws('.', 'feedback', p.platform, f.state), count(*)
    from added f
    join platform_connection p on p.id = f.connection_id
    join conversion v on v.id = f.conversion_id
    join client c on c.id = v.client_id
    join lead l on l.id = c.lead_id
    where not v.is_test
    group by 1, 2, 3, 4, 5;
    return null;
  end $$;

  -- what has not changed adds up to nothing: no join of two tables without an index, however many rows
  create or replace function note_changed_feedback() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select v.account_id, day_of(v.created_at), l.landing_page_id, campaign_of(l.click_marks),
           concat_ws('.', 'feedback', p.platform, f.state), sum(f.change)
    from (
      select connection_id, conversion_id, state, sum(change) as change
      from (select connection_id, conversion_id, state, 1 as change from after_change
            union all
            select connection_id, conversion_id, state, -1 from before_change) both_times
      group by 1, 2, 3 having sum(change) <> 0
    ) f
    join platform_connection p on p.id = f.connection_id
    join conversion v on v.id = f.conversion_id
    join client c on c.id = v.client_id
    join lead l on l.id = c.lead_id
    where not v.is_test
    group by 1, 2, 3, 4, 5;
    return null;
  end $$;

  create trigger noted after insert on lead
    referencing new table as added for each statement execute function note_leads();
  create trigger noted after insert on client
    referencing new table as added for each statement execute function note_clients();
  create trigger noted after insert on conversion
    referencing new table as added for each statement execute function note_conversions();
  create trigger noted after insert on feedback
    referencing new table as added for each statement execute function note_added_feedback();
  create trigger change_noted after update on feedback
    referencing old table as before_change new table as after_change
    for each statement execute function note_changed_feedback();
`;

// One statement, and so one moment: what is there by then is counted, and what was noted until then is in that count. So is
// what an api has folded by then that did not wait for us; until all is counted the emptied table keeps it from folding more.
const countOfAll = `
  truncate account_metric;
  with noted_meanwhile as (
    delete from metric_change
  ), funnel as (
    select v.id, v.account_id, day_of(v.created_at) as day, l.landing_page_id, campaign_of(l.click_marks) as campaign,
           v.currency, v.amount
    from conversion v join client c on c.id = v.client_id join lead l on l.id = c.lead_id where not v.is_test
  )
  insert into account_metric (account_id, day, landing_page_id, campaign, measure, value)
  select account_id, day_of(created_at), landing_page_id, campaign_of(click_marks), 'leads', count(*)
  from lead group by 1, 2, 3, 4
  union all
  select c.account_id, day_of(c.created_at), l.landing_page_id, campaign_of(l.click_marks), 'clients', count(*)
  from client c join lead l on l.id = c.lead_id group by 1, 2, 3, 4
  union all
  select account_id, day, landing_page_id, campaign, m.measure, sum(m.change)
  from funnel cross join lateral (values ('conversions', 1), ('amount.' || currency, amount)) m (measure, change)
  group by 1, 2, 3, 4, 5
  union all
  select v.account_id, v.day, v.landing_page_id, v.campaign, concat_ws('.', 'feedback', p.platform, f.state), count(*)
  from feedback f join funnel v on v.id = f.conversion_id join platform_connection p on p.id = f.connection_id
  group by 1, 2, 3, 4, 5
`;

/**
 * What an account's campaigns came to, by day, landing page and campaign. Whatever writes a lead, a client, a conversion or
 * a state of feedback leaves a row in metric_change within the same statement; nobody waits for a shared counter. The api
 * folds these rows into account_metric. What was there before is counted beside the apps at work, whose changes count as
 * soon as the triggers are there.
 */
export class Migration20261121230000 extends Migration {
  // or the triggers' locks would be held until everything is counted
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    await changeWithLockRetry((sql) => this.execute(sql), { tables, change: counting });
    await this.execute(countOfAll);
  }
}
