import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry } from '../change-with-lock-retry.ts';

// Rows from before these columns, and those of apps of the version before, have none: their lead is looked up. `limit 1`:
// the planner cannot turn the lookup of a row by its key into a join that reads a whole table.
const countedAs = (row: string, client: string) => `cross join lateral (
      select ${row}.landing_page_id, ${row}.campaign where ${row}.landing_page_id is not null
      union all
      select l.landing_page_id, campaign_of(l.click_marks)
      from (select ${client} as id where ${row}.landing_page_id is null) named
      cross join lateral (select lead_id from client where id = named.id limit 1) c
      cross join lateral (select landing_page_id, click_marks from lead where id = c.lead_id limit 1) l
    ) l`;

// Deliveries are summed up before anything is looked up, those without the columns by conversion.
const deliveries = (changes: string) => `
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select d.account_id, d.day, l.landing_page_id, l.campaign, concat_ws('.', 'feedback', p.platform, d.state), sum(d.change)
    from (
      select account_id, connection_id, state, day_of(occurred_at) as day, landing_page_id, campaign,
             case when landing_page_id is null then conversion_id end as unknown_id, sum(change) as change
      from (${changes}) c
      where conversion_id is not null and not is_test
      group by 1, 2, 3, 4, 5, 6, 7 having sum(change) <> 0
    ) d
    ${countedAs('d', '(select client_id from conversion where id = d.unknown_id limit 1)')}
    cross join lateral (select platform from platform_connection where id = d.connection_id limit 1) p
    group by 1, 2, 3, 4, 5;
    return null;`;

const columns = `
  alter table conversion add column if not exists landing_page_id bigint, add column if not exists campaign text;
  alter table feedback add column if not exists landing_page_id bigint, add column if not exists campaign text;

  create or replace function note_conversions() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select v.account_id, day_of(coalesce(v.occurred_at, v.created_at)), l.landing_page_id, l.campaign, m.measure,
           sum(m.change)
    from added v ${countedAs('v', 'v.client_id')}
    cross join lateral (values ('conversions', 1), ('amount.' || v.currency, v.amount)) m (measure, change)
    where not v.is_test
    group by 1, 2, 3, 4, 5;
    return null;
  end $$;

  create or replace function note_added_feedback() returns trigger language plpgsql as $$
  begin
    ${deliveries('select *, 1 as change from added')}
  end $$;

  create or replace function note_changed_feedback() returns trigger language plpgsql as $$
  begin
    ${deliveries('select *, -1 as change from before_change union all select *, 1 from after_change')}
  end $$;
`;

/**
 * Conversions and their deliveries know the page and the campaign for which the metrics count them: the statement that
 * registers them has just read the lead. Looking it up again in each trigger took a tenth of PostgreSQL's time.
 */
export class Migration20261123247000 extends Migration {
  // tables that cannot be locked in time are tried again, which a failed transaction could not do
  override isTransactional(): boolean {
    return false;
  }

  override up(): Promise<void> {
    return changeWithLockRetry((sql) => this.execute(sql), { tables: ['conversion', 'feedback'], change: columns });
  }
}
