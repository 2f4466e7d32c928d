import { GradualMigration } from './gradual-migration.ts';

/** Where sales come from beside the advertiser's own server, and what they have told. */
export class Migration20261129160000 extends GradualMigration {
  override async up(): Promise<void> {
    // The trigger is for erasures by apps that do not know the column yet: it goes with the contact data.
    await this.change(
      ['client'],
      `
      alter table client add column if not exists phone_hash text;
      create or replace function forget_phone() returns trigger language plpgsql as $$
      begin
        new.phone_hash := null;
        return new;
      end $$;
      create or replace trigger phone_forgotten before update of contact on client for each row
        when (new.contact is null and old.contact is not null) execute function forget_phone()`,
    );
    await this.execute(`do $do$ begin
      if exists (select from pg_index where indexrelid = to_regclass('client_phone_hash_index') and not indisvalid) then
        drop index client_phone_hash_index;
      end if;
    end $do$`);
    await this.execute(
      'create index concurrently if not exists client_phone_hash_index on client (account_id, phone_hash, id) where phone_hash is not null',
    );
    await this.change(
      ['account'],
      `
      create table if not exists source (
        id bigserial primary key,
        account_id bigint not null constraint source_account_id_foreign references account,
        kind text not null,
        label text not null,
        path_hash bytea not null constraint source_path_hash_unique unique,
        earlier_path_hash bytea constraint source_earlier_path_hash_unique unique,
        earlier_path_until timestamptz(6),
        settings jsonb not null default '{}',
        secrets bytea not null,
        is_test boolean not null default false,
        state text not null default 'active',
        state_reason text,
        state_since timestamptz(6) not null default now(),
        refused_count int not null default 0,
        refused_since timestamptz(6),
        refused_at timestamptz(6),
        created_at timestamptz(6) not null default now(),
        deleted_at timestamptz(6),
        catch_up_at timestamptz(6) not null default now(),
        caught_up_until timestamptz(6) not null default now(),
        constraint source_state_check check (state in ('active', 'paused', 'needs_attention'))
      );
      create unique index if not exists source_account_id_id_unique on source (account_id, id);

      -- An event that repeats another has no key and no content.
      create table if not exists source_event (
        id bigserial primary key,
        account_id bigint not null,
        source_id bigint not null,
        received_at timestamptz(6) not null default clock_timestamp(),
        key text,
        event text not null,
        order_reference text,
        state_at timestamptz(6),
        is_partial boolean not null default false,
        content bytea,
        fetched bytea,
        person_hashes text[],
        needs_fetch boolean not null default false,
        due_at timestamptz(6) not null default clock_timestamp(),
        failures int not null default 0,
        finished_at timestamptz(6),
        outcome text,
        reason text,
        message text,
        conversion_id bigint,
        constraint source_event_finished_check check ((finished_at is null) = (outcome is null)),
        constraint source_event_outcome_check
          check (outcome in ('sale', 'adjusted', 'repeated', 'ignored', 'without-click', 'failed')),
        constraint source_event_source_id_of_account_foreign foreign key (account_id, source_id)
          references source (account_id, id)
      );
      create unique index if not exists source_event_key_unique on source_event (source_id, key);
      create index if not exists source_event_list_index on source_event (source_id, id);
      create index if not exists source_event_open_index on source_event (source_id, needs_fetch, due_at) where finished_at is null;
      create index if not exists source_event_order_index on source_event (source_id, order_reference) where order_reference is not null;
      create index if not exists source_event_person_index on source_event using gin (person_hashes) where person_hashes is not null;
      create index if not exists source_event_conversion_index on source_event (conversion_id) where conversion_id is not null`,
    );
  }
}
