import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry } from '../change-with-lock-retry.ts';

// Clients of apps of the version before have no page: their lead is looked up. `limit 1`: the planner cannot turn the
// lookup of a row by its key into a join that reads a whole table.
const columns = `
  alter table client
    add column if not exists landing_page_id bigint,
    add column if not exists campaign text,
    add column if not exists trace_parent text;

  create or replace function note_clients() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select c.account_id, day_of(c.created_at), coalesce(c.landing_page_id, l.landing_page_id),
           coalesce(c.campaign, l.campaign), 'clients', count(*)
    from added c
    left join lateral (
      select landing_page_id, campaign_of(click_marks) as campaign
      from lead where c.landing_page_id is null and id = c.lead_id limit 1
    ) l on true
    where not c.is_test group by 1, 2, 3, 4;
    return null;
  end $$;
`;

/**
 * Clients know what their conversions need of their lead: the page and the campaign for which the metrics count them, and
 * the trace. With ten million leads, finding one of them takes PostgreSQL longer than any other lookup of a conversion.
 */
export class Migration20261124248000 extends Migration {
  // a table that cannot be locked in time is tried again, which a failed transaction could not do
  override isTransactional(): boolean {
    return false;
  }

  override up(): Promise<void> {
    return changeWithLockRetry((sql) => this.execute(sql), { tables: ['client'], change: columns });
  }
}
