/** The way from a click to a sale: leads, clients, conversions and their adjustments. */
export const sales = `
  -- Leads, clients and conversions have no foreign keys: registrations have just read what they refer to, and each check
  -- would lock a row that all registrations of an account share, a fifth of what PostgreSQL does for a lead.
  create table lead (
    id bigserial primary key,
    account_id bigint not null,
    landing_page_id bigint not null,
    reference text not null constraint lead_reference_unique unique,
    click_parameters jsonb not null,
    user_agent text,
    accept_language text,
    referrer text,
    landing_url text,
    consent boolean,
    created_at timestamptz(6) not null default now(),
    consent_scope text,
    global_privacy_control boolean not null default false,
    trace_parent text,
    click_times jsonb,
    contact bytea,
    email_hash text,
    consent_withdrawn_at timestamptz(6),
    counts_as_other boolean,
    proof_hash bytea,
    unusable_clicks jsonb,
    constraint lead_consent_scope_check check (consent_scope in ('sharing', 'personalisation'))
  );
  create index lead_email_hash_index on lead (account_id, email_hash, id) where email_hash is not null;
  create index lead_unusable_clicks_index on lead (landing_page_id, created_at) where unusable_clicks is not null;

  create table client (
    id bigserial primary key,
    account_id bigint not null,
    lead_id bigint not null,
    email_hash text,
    external_reference text,
    created_at timestamptz(6) not null default now(),
    is_test boolean not null default false,
    test_reference text,
    test_email_hash text,
    contact bytea,
    landing_page_id bigint not null,
    campaign text not null,
    trace_parent text,
    ad_user_data boolean,
    ad_user_data_at timestamptz(6),
    ad_personalization boolean,
    ad_personalization_at timestamptz(6),
    constraint client_account_id_external_reference_unique unique (account_id, external_reference)
  );
  create index client_account_id_email_hash_id_index on client (account_id, email_hash, id);
  create index client_lead_id_index on client (lead_id);
  create index client_test_email_hash_index on client (account_id, test_email_hash, id) where test_email_hash is not null;
  create unique index client_test_reference_unique on client (account_id, test_reference)
      where test_reference is not null;

  -- The clicks of clients after the one with which they were registered (client.lead_id).
  create table client_lead (
    client_id bigint not null,
    lead_id bigint not null,
    account_id bigint not null,
    created_at timestamptz(6) not null default now(),
    primary key (client_id, lead_id)
  );
  create index client_lead_lead_id_index on client_lead (lead_id);

  -- The first sale of each client that has one. Null: the person bought before, as another client.
  create table first_sale (
    client_id bigint primary key,
    conversion_id bigint
  );

  -- An amount has the decimals of its currency: rounded when it is stored.
  create table conversion (
    id bigserial primary key,
    account_id bigint not null,
    client_id bigint not null,
    lead_id bigint not null,
    amount numeric not null,
    currency text not null,
    external_reference text,
    created_at timestamptz(6) not null default now(),
    is_test boolean not null default false,
    test_reference text,
    event_id text not null,
    occurred_at timestamptz(6),
    event_name text,
    landing_page_id bigint not null,
    campaign text not null,
    is_untold boolean not null default false,
    net_amount numeric,
    items jsonb,
    constraint conversion_account_id_event_id_unique unique (account_id, event_id),
    constraint conversion_account_id_external_reference_unique unique (account_id, external_reference),
    constraint conversion_currency_check check (currency ~ '^[A-Z]{3}$')
  );
  create index conversion_client_id_id_index on conversion (client_id, id);
  create index conversion_listed_index on conversion (account_id, is_test, coalesce(occurred_at, created_at), id);
  create unique index conversion_test_reference_unique on conversion (account_id, test_reference)
      where test_reference is not null;
  create index conversion_untold_index on conversion (account_id, coalesce(occurred_at, created_at)) where is_untold;

  create table conversion_adjustment (
    id bigserial primary key,
    account_id bigint not null constraint conversion_adjustment_account_id_foreign references account,
    conversion_id bigint not null constraint conversion_adjustment_conversion_id_foreign references conversion,
    is_test boolean not null,
    kind text not null,
    amount numeric not null,
    previous_amount numeric not null,
    occurred_at timestamptz(6) not null,
    external_reference text,
    test_reference text,
    created_at timestamptz(6) not null default now(),
    constraint conversion_adjustment_account_id_external_reference_unique unique (account_id, external_reference),
    constraint conversion_adjustment_kind_check check (kind in ('restate', 'retract'))
  );
  create index conversion_adjustment_conversion_id_id_index on conversion_adjustment (conversion_id, id);
  create unique index conversion_adjustment_test_reference_unique on conversion_adjustment (account_id,
      test_reference) where test_reference is not null;

  create table idempotency_record (
    account_id bigint not null constraint idempotency_record_account_id_foreign references account,
    route text not null,
    key text not null,
    fingerprint bytea not null,
    answer jsonb not null,
    created_at timestamptz(6) not null default now(),
    primary key (account_id, route, key)
  );
  create index idempotency_record_created_at_index on idempotency_record (created_at);
`;
