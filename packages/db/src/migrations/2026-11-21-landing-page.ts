import { Migration } from '@mikro-orm/migrations';

/** What a landing page looks like and asks for, what a visitor chose, and which landing apps have leads still to write. */
export class Migration20261121180000 extends Migration {
  override up(): void {
    this.addSql(`
      alter table landing_page
        add column language text not null default 'en'
          constraint landing_page_language_check check (language in ('en', 'es', 'pt')),
        add column accent_color text
          constraint landing_page_accent_color_check check (accent_color ~ '^#[0-9a-f]{6}$'),
        add column logo jsonb,
        add column hero jsonb,
        add column consent_scope text not null default 'sharing'
          constraint landing_page_consent_scope_check check (consent_scope in ('sharing', 'personalisation')),
        add column privacy_url text,
        add column changed_at timestamptz(6) not null default now();
      create index landing_page_changed_at_index on landing_page (changed_at);

      create function landing_page_changed_fn() returns trigger language plpgsql as $$
        begin new.changed_at = now(); return new; end
      $$;
      create trigger changed before update on landing_page
        for each row execute function landing_page_changed_fn();

      create table landing_image (
        id bigserial primary key,
        account_id bigint not null constraint landing_image_account_id_foreign references account,
        name text not null constraint landing_image_name_unique unique,
        media_type text not null,
        bytes bytea not null,
        created_at timestamptz(6) not null default now()
      );
      create index landing_image_account_id_index on landing_image (account_id);

      alter table lead
        add column clicked_at timestamptz(6),
        add column consent_scope text
          constraint lead_consent_scope_check check (consent_scope in ('sharing', 'personalisation')),
        add column global_privacy_control boolean not null default false;

      create table landing_instance (
        id text primary key,
        seen_at timestamptz(6) not null default now(),
        is_behind boolean not null,
        spool text
      );
    `);
  }
}
