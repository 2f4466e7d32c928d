import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry, withLockRetry } from '../change-with-lock-retry.ts';

const tables = ['account', 'lead', 'client', 'conversion', 'platform_connection', 'landing_instance'] as const;

// Columns without a rewrite of any table: null stands for what rows that exist have always meant.
const columns = `
  create table if not exists installation (
    id uuid primary key default gen_random_uuid(),
    is_only boolean not null default true constraint installation_is_only_unique unique,
    constraint installation_is_only_check check (is_only)
  );
  insert into installation default values on conflict do nothing;

  alter table account add column if not exists gpc_reading text not null default 'respect'
    constraint account_gpc_reading_check check (gpc_reading in ('respect', 'measure'));
  alter table lead add column if not exists click_times jsonb;
  alter table client
    add column if not exists is_test boolean not null default false,
    add column if not exists test_reference text,
    add column if not exists test_email_key text;
  alter table conversion
    add column if not exists event_id text,
    add column if not exists occurred_at timestamptz(6);
  alter table platform_connection add column if not exists resumed_at timestamptz(6);
  alter table landing_instance add column if not exists ignores_proxy boolean not null default false;
`;

// Test clients count nowhere, and a conversion counts on the day it occurred, whenever it was registered.
const counting = `
  create or replace function note_clients() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select c.account_id, day_of(c.created_at), l.landing_page_id, campaign_of(l.click_marks), 'clients', count(*)
    from added c join lead l on l.id = c.lead_id where not c.is_test group by 1, 2, 3, 4;
    return null;
  end $$;

  create or replace function note_conversions() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select v.account_id, day_of(coalesce(v.occurred_at, v.created_at)), l.landing_page_id, campaign_of(l.click_marks),
           m.measure, sum(m.change)
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
    select f.account_id, day_of(coalesce(v.occurred_at, v.created_at)), l.landing_page_id, campaign_of(l.click_marks),
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

  create or replace function note_changed_feedback() returns trigger language plpgsql as $$
  begin
    insert into metric_change (account_id, day, landing_page_id, campaign, measure, change)
    select v.account_id, day_of(coalesce(v.occurred_at, v.created_at)), l.landing_page_id, campaign_of(l.click_marks),
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
`;

/**
 * What makes events truthful: a stored id and time for each conversion, clients and references of their own for test keys,
 * the time of each platform's last click, and an id of this installation. Runs beside apps of the version before: they
 * leave the new columns null. Run again after a failure, it finishes what is missing.
 */
export class Migration20261122000000 extends Migration {
  // indexes are built concurrently, which no transaction can do
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    await changeWithLockRetry((sql) => this.execute(sql), { tables, change: columns + counting });
    await this.addUnique('client', 'test_reference');
    await this.buildIndex(
      'conversion_account_id_event_id_unique',
      'unique index',
      'conversion (account_id, coalesce(event_id, id::text))',
    );
    await this.buildIndex(
      'client_account_id_test_email_key_id_index',
      'index',
      'client (account_id, test_email_key, id)',
    );
  }

  private async addUnique(table: string, column: string): Promise<void> {
    const name = `${table}_account_id_${column}_unique`;
    const [found] = await this.execute(
      `select 1 from pg_constraint where conname = '${name}' and conrelid = '${table}'::regclass`,
    );
    if (found) return;
    await this.buildIndex(name, 'unique index', `${table} (account_id, ${column})`);
    await changeWithLockRetry((sql) => this.execute(sql), {
      tables: [table],
      change: `alter table ${table} add constraint ${name} unique using index ${name}`,
    });
  }

  /** An index left by a run that failed is invalid, so it is dropped first. */
  private buildIndex(name: string, kind: string, on: string): Promise<void> {
    return withLockRetry(async () => {
      await this.execute(`drop index concurrently if exists ${name}`);
      await this.execute(`create ${kind} concurrently ${name} on ${on}`);
    });
  }
}
