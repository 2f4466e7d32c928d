import { GradualMigration } from './gradual-migration.ts';

const topics = `'delivery.delivered', 'delivery.failed', 'delivery.skipped', 'connection.needs_attention',
  'connection.recovered', 'import.finished', 'reconciliation.finished', 'page.target_changed', 'domain.state_changed'`;

/** Domains of accounts, slugs that are unique in an account alone, and the webhook event of a domain. */
export class Migration20261129120000 extends GradualMigration {
  override async up(): Promise<void> {
    await this.change(
      ['account'],
      `
        create table if not exists own_domain (
          id bigserial primary key,
          account_id bigint not null constraint own_domain_account_id_foreign references account,
          name text not null,
          state text not null default 'waiting',
          state_since timestamptz(6) not null default now(),
          finding jsonb,
          checked_at timestamptz(6),
          check_after timestamptz(6) not null default now(),
          proved_at timestamptz(6),
          created_at timestamptz(6) not null default now(),
          removed_at timestamptz(6),
          changed_at timestamptz(6) not null default now(),
          constraint own_domain_state_check check (state in ('waiting', 'active', 'wrong'))
        );
        create index if not exists own_domain_account_id_index on own_domain (account_id);
        create index if not exists own_domain_changed_at_index on own_domain (changed_at);
        create unique index if not exists own_domain_name_unique on own_domain (name) where removed_at is null;
        create index if not exists own_domain_removed_index on own_domain (name, removed_at) where removed_at is not null;
        create index if not exists own_domain_check_after_index on own_domain (check_after) where removed_at is null`,
    );
    await this.change(
      ['landing_page'],
      `
        alter table landing_page add column if not exists own_slug text;
        create unique index if not exists landing_page_own_slug_unique on landing_page (account_id, (coalesce(own_slug, slug)))`,
    );
    // not valid: every row is of the former list, and to read them all would take a lock for as long
    await this.change(
      ['platform_connection', 'webhook_event'],
      `
        alter table platform_connection drop constraint if exists platform_connection_event_kinds_check;
        alter table platform_connection add constraint platform_connection_event_kinds_check
          check (event_kinds <@ array['conversion', 'lead', ${topics}]) not valid;
        alter table webhook_event drop constraint if exists webhook_event_type_check;
        alter table webhook_event add constraint webhook_event_type_check
          check (type in (${topics}, 'webhook.test')) not valid`,
    );
    await this.execute('alter table platform_connection validate constraint platform_connection_event_kinds_check');
    await this.execute('alter table webhook_event validate constraint webhook_event_type_check');
  }
}
