import { Migration } from '@mikro-orm/migrations';

// `limit 1`: the planner cannot turn the lookup of a row by its key into a join that reads a whole table
const page = (lead: string) =>
  `cross join lateral (select landing_page_id, click_marks from lead where id = ${lead} limit 1) l`;
const sale = (conversion: string) => `
    cross join lateral (select * from conversion where id = ${conversion} limit 1) v
    cross join lateral (select lead_id from client where id = v.client_id limit 1) c
    ${page('c.lead_id')}`;
const saleDay = 'day_of(coalesce(v.occurred_at, v.created_at))';

// Deliveries are summed up before their platforms are looked up.
const saleOf = (delivery: string) => `
      cross join lateral (
        select ${saleDay} as day, l.landing_page_id, campaign_of(l.click_marks) as campaign
        from (select) one ${sale(`${delivery}.conversion_id`)}
        where not v.is_test
      ) s`;
const platform = 'cross join lateral (select platform from platform_connection where id = f.connection_id limit 1) p';

const noting = `
  create or replace function note_clients() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select c.account_id, day_of(c.created_at), l.landing_page_id, campaign_of(l.click_marks), 'clients', count(*)
    from added c ${page('c.lead_id')} where not c.is_test group by 1, 2, 3, 4;
    return null;
  end $$;

  create or replace function note_conversions() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select v.account_id, ${saleDay}, l.landing_page_id, campaign_of(l.click_marks), m.measure, sum(m.change)
    from added v
    cross join lateral (select lead_id from client where id = v.client_id limit 1) c
    ${page('c.lead_id')}
    cross join lateral (values ('conversions', 1), ('amount.' || v.currency, v.amount)) m (measure, change)
    where not v.is_test
    group by 1, 2, 3, 4, 5;
    return null;
  end $$;

  create or replace function note_added_feedback() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select f.account_id, f.day, f.landing_page_id, f.campaign, concat_ws('.', 'feedback', p.platform, f.state), sum(f.change)
    from (
      select a.account_id, a.connection_id, a.state, s.day, s.landing_page_id, s.campaign, count(*) as change
      from added a ${saleOf('a')}
      group by 1, 2, 3, 4, 5, 6
    ) f ${platform}
    group by 1, 2, 3, 4, 5;
    return null;
  end $$;

  -- The two times of a row are found by grouping: a join without an index, planned for one row, would compare each of
  -- thousands of rows with each other.
  create or replace function note_changed_feedback() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select f.account_id, f.day, f.landing_page_id, f.campaign, concat_ws('.', 'feedback', p.platform, m.state), sum(m.change)
    from (
      select a.account_id, a.connection_id, a.before, a.after, s.day, s.landing_page_id, s.campaign, count(*) as change
      from (
        select id, account_id, connection_id, conversion_id, min(before) as before, min(after) as after
        from (select id, account_id, connection_id, conversion_id, state as before, null as after from before_change
              union all
              select id, account_id, connection_id, conversion_id, null, state from after_change) both_times
        group by 1, 2, 3, 4 having min(before) <> min(after)
      ) a ${saleOf('a')}
      group by 1, 2, 3, 4, 5, 6, 7
    ) f ${platform}
    cross join lateral (values (f.before, -f.change), (f.after, f.change)) m (state, change)
    group by 1, 2, 3, 4, 5;
    return null;
  end $$;
`;

/**
 * The metric triggers look up rows by key at every size of the tables. A session plans their statements once: before,
 * one that had started with empty tables read all conversions in each trigger until the tables were analyzed. A change
 * of a delivery reads its sale once.
 */
export class Migration20261122130000 extends Migration {
  override up(): void {
    this.addSql(noting);
  }
}
