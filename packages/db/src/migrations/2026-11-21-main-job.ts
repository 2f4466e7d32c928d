import { Migration } from '@mikro-orm/migrations';

/** Accounts, their landing pages, and the way from a lead to the feedback at the platforms. */
export class Migration20261121000000 extends Migration {
  override up(): void {
    this.addSql(`
      create table account (
        id bigserial primary key,
        name text not null,
        status text not null default 'active'
          constraint account_status_check check (status in ('active', 'suspended')),
        country varchar(2) not null default 'AR',
        rate_limit int not null default 200,
        created_at timestamptz(6) not null default now()
      );

      create table api_key (
        id bigserial primary key,
        account_id bigint not null constraint api_key_account_id_foreign references account,
        name text not null,
        key_hash bytea not null constraint api_key_key_hash_unique unique,
        prefix text not null,
        created_at timestamptz(6) not null default now(),
        expires_at timestamptz(6),
        revoked_at timestamptz(6),
        last_used_at timestamptz(6)
      );
      create index api_key_account_id_index on api_key (account_id);

      create table landing_page (
        id bigserial primary key,
        account_id bigint not null constraint landing_page_account_id_foreign references account,
        slug text not null constraint landing_page_slug_unique unique,
        mode text not null default 'page'
          constraint landing_page_mode_check check (mode in ('page', 'direct')),
        is_on boolean not null default true,
        target_url text not null,
        title text,
        text text,
        button_label text,
        asked_fields text[] not null default '{}' constraint landing_page_asked_fields_check
          check (asked_fields <@ array['name'::text, 'email'::text, 'phone'::text]),
        consent_text text,
        created_at timestamptz(6) not null default now()
      );
      create index landing_page_account_id_index on landing_page (account_id);

      create table lead (
        id bigserial primary key,
        account_id bigint not null constraint lead_account_id_foreign references account,
        landing_page_id bigint not null constraint lead_landing_page_id_foreign references landing_page,
        reference text not null constraint lead_reference_unique unique,
        click_marks jsonb not null,
        ip_address text,
        user_agent text,
        accept_language text,
        referrer text,
        landing_url text,
        name text,
        email text,
        phone text,
        consent boolean,
        created_at timestamptz(6) not null default now()
      );

      create table client (
        id bigserial primary key,
        account_id bigint not null constraint client_account_id_foreign references account,
        lead_id bigint not null constraint client_lead_id_foreign references lead,
        name text,
        email text,
        email_key text,
        phone_number text,
        external_reference text,
        created_at timestamptz(6) not null default now(),
        constraint client_account_id_external_reference_unique unique (account_id, external_reference)
      );
      create index client_account_id_email_key_id_index on client (account_id, email_key, id);

      create table conversion (
        id bigserial primary key,
        account_id bigint not null constraint conversion_account_id_foreign references account,
        client_id bigint not null constraint conversion_client_id_foreign references client,
        amount numeric(12, 2) not null,
        currency text not null constraint conversion_currency_check check (currency in ('USD', 'ARS')),
        external_reference text,
        created_at timestamptz(6) not null default now(),
        constraint conversion_account_id_external_reference_unique unique (account_id, external_reference)
      );

      create table platform_connection (
        id bigserial primary key,
        account_id bigint not null constraint platform_connection_account_id_foreign references account,
        platform text not null
          constraint platform_connection_platform_check check (platform in ('meta', 'google')),
        settings jsonb not null,
        credentials bytea not null,
        state text not null default 'active'
          constraint platform_connection_state_check check (state in ('active', 'paused', 'needs_attention')),
        state_reason text,
        created_at timestamptz(6) not null default now()
      );
      create index platform_connection_account_id_index on platform_connection (account_id);

      create table feedback (
        id bigserial primary key,
        account_id bigint not null constraint feedback_account_id_foreign references account,
        conversion_id bigint not null constraint feedback_conversion_id_foreign references conversion,
        connection_id bigint not null constraint feedback_connection_id_foreign references platform_connection,
        state text not null default 'pending'
          constraint feedback_state_check check (state in ('pending', 'delivered', 'failed', 'skipped')),
        due_at timestamptz(6) not null default now(),
        held_until timestamptz(6) not null default now(),
        attempts int not null default 0,
        reason text,
        created_at timestamptz(6) not null default now(),
        closed_at timestamptz(6),
        constraint feedback_conversion_id_connection_id_unique unique (conversion_id, connection_id)
      );
      create index feedback_account_id_index on feedback (account_id);
      create index feedback_due_at_index on feedback (due_at) where state = 'pending';
      create index feedback_connection_id_index on feedback (connection_id) where state = 'pending';

      create table feedback_attempt (
        id bigserial primary key,
        account_id bigint not null constraint feedback_attempt_account_id_foreign references account,
        feedback_id bigint not null constraint feedback_attempt_feedback_id_foreign references feedback,
        outcome text not null constraint feedback_attempt_outcome_check
          check (outcome in ('delivered', 'rejected', 'unavailable', 'refused')),
        reason text,
        http_status int,
        answer text,
        duration_ms int not null,
        created_at timestamptz(6) not null default now()
      );
      create index feedback_attempt_feedback_id_index on feedback_attempt (feedback_id);
    `);
  }
}
