/** Accounts, their keys, pages and connections, and what the installation knows of itself. */
export const accounts = `
  -- One row: the name of this installation, and the database server that it knows.
  create table installation (
    id uuid default gen_random_uuid() primary key,
    is_only boolean not null default true constraint installation_is_only_unique unique,
    server text,
    constraint installation_is_only_check check (is_only)
  );

  insert into installation default values;

  create table account (
    id bigserial primary key,
    name text not null,
    status text not null default 'active',
    country varchar(2) not null default 'AR',
    rate_limit int not null default 200,
    created_at timestamptz(6) not null default now(),
    gpc_reading text not null default 'respect',
    data_key bytea,
    erased_persons text not null default 'allow',
    hides_pages boolean not null default false,
    attribution text not null default 'last',
    event_id_prefix text not null default '',
    currencies text[] not null default '{USD,ARS}',
    time_zone text not null default 'UTC',
    constraint account_attribution_check check (attribution in ('last', 'first')),
    constraint account_currencies_check check (cardinality(currencies) > 0),
    constraint account_erased_persons_check check (erased_persons in ('allow', 'suppress')),
    constraint account_gpc_reading_check check (gpc_reading in ('respect', 'measure')),
    constraint account_status_check check (status in ('active', 'suspended'))
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
    last_used_at timestamptz(6),
    is_test boolean not null default false,
    issued_by text,
    scopes text[] not null default '{read,register,erase}',
    constraint api_key_scopes_check check (scopes <@ array['read', 'register', 'erase'] and cardinality(scopes) > 0)
  );
  create index api_key_account_id_index on api_key (account_id);

  create table landing_page (
    id bigserial primary key,
    account_id bigint not null constraint landing_page_account_id_foreign references account,
    slug text not null constraint landing_page_slug_unique unique,
    mode text not null default 'page',
    is_on boolean not null default true,
    target_url text not null,
    title text,
    text text,
    button_label text,
    asked_fields text[] not null default '{}',
    consent_text text,
    created_at timestamptz(6) not null default now(),
    language text not null default 'en',
    accent_color text,
    logo jsonb,
    hero jsonb,
    consent_scope text not null default 'sharing',
    privacy_url text,
    passed_parameters text not null default 'known',
    changed_at timestamptz(6) not null default now(),
    is_hidden boolean not null default false,
    earlier_host text,
    host_changed_at timestamptz(6),
    constraint landing_page_accent_color_check check (accent_color ~ '^#[0-9a-f]{6}$'),
    constraint landing_page_asked_fields_check check (asked_fields <@ array['name', 'email', 'phone']),
    constraint landing_page_consent_scope_check check (consent_scope in ('sharing', 'personalisation')),
    constraint landing_page_language_check check (language in ('en', 'es', 'pt')),
    constraint landing_page_mode_check check (mode in ('page', 'direct'))
  );
  create unique index landing_page_account_id_id_unique on landing_page (account_id, id);
  create index landing_page_changed_at_index on landing_page (changed_at);

  create table landing_image (
    id bigserial primary key,
    account_id bigint not null constraint landing_image_account_id_foreign references account,
    name text not null constraint landing_image_name_unique unique,
    media_type text not null,
    bytes bytea not null,
    created_at timestamptz(6) not null default now()
  );
  create index landing_image_account_id_index on landing_image (account_id);

  create table landing_instance (
    id text primary key,
    seen_at timestamptz(6) not null default now(),
    is_behind boolean not null,
    spool text,
    ignores_proxy boolean not null default false,
    misses_tls boolean not null default false
  );

  create table platform_connection (
    id bigserial primary key,
    account_id bigint not null constraint platform_connection_account_id_foreign references account,
    platform text not null,
    label text,
    destination text not null default '',
    settings jsonb not null,
    credentials bytea not null,
    state text not null default 'active',
    state_reason text,
    state_since timestamptz(6) not null default now(),
    created_at timestamptz(6) not null default now(),
    resumed_at timestamptz(6),
    version int not null default 1,
    event_kinds text[] not null default '{conversion}',
    event_names jsonb not null default '{}',
    is_test boolean,
    last_accepted_at timestamptz(6),
    verify_at timestamptz,
    verify_attempts smallint not null default 0,
    test_delivery_id bigint,
    credentials_entered_at timestamptz(6) not null default now(),
    credentials_renewed_at timestamptz(6),
    deleted_at timestamptz(6),
    constraint platform_connection_any_event_check check (cardinality(event_kinds) > 0),
    constraint platform_connection_event_kinds_check check (event_kinds <@ array['conversion', 'lead',
        'delivery.delivered', 'delivery.failed', 'delivery.skipped', 'connection.needs_attention',
        'connection.recovered', 'import.finished', 'reconciliation.finished', 'page.target_changed']),
    constraint platform_connection_event_names_check check (jsonb_typeof(event_names) = 'object'),
    constraint platform_connection_mode_check check ((platform = 'webhook') = (is_test is not null)),
    constraint platform_connection_state_check check (state in ('active', 'paused', 'needs_attention'))
  );
  create unique index platform_connection_account_id_id_unique on platform_connection (account_id, id);
  create index platform_connection_unverified_index on platform_connection (verify_at) where verify_at is not null;
  create index platform_connection_webhook_index on platform_connection (account_id) where platform = 'webhook';

  create table connection_settings_change (
    connection_id bigint not null,
    version int not null,
    account_id bigint not null constraint connection_settings_change_account_id_foreign references account,
    settings jsonb not null,
    event_names jsonb not null,
    changed_at timestamptz(6) not null default clock_timestamp(),
    primary key (connection_id, version),
    constraint connection_settings_change_connection_id_of_account_foreign foreign key (account_id,
        connection_id) references platform_connection(account_id, id)
  );

  -- The webhooks of partners are connections, which an api writes. Those to platforms are for operators alone: an api that
  -- was taken over may not send an account's sales elsewhere.
  create function webhooks_alone() returns trigger language plpgsql as $$
      begin
        raise insufficient_privilege using message = format('%I may not change connections to platforms', current_user);
      end $$;

  create function landing_page_changed_fn() returns trigger language plpgsql as $$
        begin new.changed_at = now(); return new; end
      $$;

  create function count_connection_version() returns trigger language plpgsql as $$
  begin
    new.version = old.version + 1;
    -- webhooks get no adjustments, and the URL of a deleted one is kept nowhere
    if old.platform <> 'webhook' and (old.settings, old.event_names) is distinct from (new.settings, new.event_names) then
      insert into connection_settings_change (connection_id, version, account_id, settings, event_names)
      values (old.id, old.version, old.account_id, old.settings, old.event_names);
    end if;
    return new;
  end $$;

  create function connection_state_changed() returns trigger language plpgsql as $$
      begin new.state_since = now(); return new; end
    $$;

  -- Makes ids unique across failovers: a standby that is promoted, and a backup that is restored, may lack the newest rows
  -- and would give their ids again. Apps call it as they connect; the first one after a promotion moves all sequences ahead,
  -- before any app has written, far above what a standby can miss. Where timelines grew by several, so did what is lost.
  -- False: a standby, which no app may use, because connections outlive its promotion.
  create function follow_promotion() returns boolean language plpgsql as $$
      declare
        found text;
        known text;
        numbers record;
      begin
        if pg_is_in_recovery() then return false; end if;
        begin
          found := (select system_identifier::text from pg_control_system()) || '/' ||
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int;
        exception when others then return true; -- a service with a storage of its own, where nothing committed is lost
        end;
        if exists (select from installation where server = found) then return true; end if;
        select server into known from installation for update;
        if known = found then return true; end if;
        if known is not null then
          for numbers in
            select c.oid::regclass as name, s.seqmax as last from pg_sequence s join pg_class c on c.oid = s.seqrelid
            where c.relnamespace = current_schema()::regnamespace and s.seqtypid = 'bigint'::regtype
              and pg_has_role(current_user, c.relowner, 'usage')
          loop
            perform setval(numbers.name, least(nextval(numbers.name) + 100000000 * (case when split_part(known, '/', 1) = split_part(found, '/', 1)
    then greatest(split_part(found, '/', 2)::int - split_part(known, '/', 2)::int, 1) else 1 end), numbers.last));
          end loop;
          insert into audit_entry (actor, action, target, details)
          values ('leadback', 'database.promoted', 'database', jsonb_build_object('before', known, 'after', found));
        end if;
        update installation set server = found;
        return true;
      end $$;

  create trigger changed before update on landing_page for each row execute function landing_page_changed_fn();

  create trigger webhooks_alone before insert or update on platform_connection for each row
    when (current_user = 'leadback_api' and new.platform <> 'webhook')
    execute function webhooks_alone();

  create trigger state_changed before update on platform_connection for each row
    when (old.state <> new.state) execute function connection_state_changed();

  -- what a platform issued instead of its credentials is no change of a connection
  create trigger version_counted before update on platform_connection for each row
    when ((old.settings, old.event_names, old.resumed_at)
        is distinct from (new.settings, new.event_names, new.resumed_at)
      or old.credentials <> new.credentials
        and old.credentials_renewed_at is not distinct from new.credentials_renewed_at)
    execute function count_connection_version();
`;
