/** Deliveries to platforms and webhooks: what is due, what was tried, and what platforms still owe. */
export const deliveries = `
  -- Without foreign keys: the statements that insert deliveries have just read or inserted what they refer to. An update of
  -- the state stays a HOT update: no index has a condition on it.
  create table delivery (
    id bigserial primary key,
    account_id bigint not null,
    conversion_id bigint,
    connection_id bigint not null,
    state text not null default 'pending',
    attempts int not null default 0,
    reason text,
    created_at timestamptz(6) not null default now(),
    closed_at timestamptz(6),
    retried_since timestamptz(6),
    note text,
    parcel_id bigint,
    is_test boolean not null default false,
    occurred_at timestamptz(6),
    undelivered text generated always as (case when state in ('failed', 'skipped') then state end) stored,
    match_keys int,
    client_id bigint,
    adjustment_id bigint,
    event_note text,
    sent_version int,
    is_confirmed boolean,
    webhook_event_id bigint,
    landing_page_id bigint,
    campaign text,
    throttled int not null default 0,
    lead_id bigint,
    constraint delivery_conversion_id_connection_id_unique unique (conversion_id, connection_id),
    constraint delivery_state_check check (state in ('pending', 'delivered', 'failed', 'skipped')),
    constraint delivery_subject_check check (num_nonnulls(conversion_id, client_id, adjustment_id,
        webhook_event_id) = 1)
  ) with (fillfactor = 60);
  create unique index delivery_adjustment_id_connection_id_unique on delivery (adjustment_id, connection_id)
      where adjustment_id is not null;
  -- of conversions alone. \`conversion_id is not null\` would say the same, but a search for it may also use the unique
  -- index, and PostgreSQL would read all of that while it does not know how many deliveries there are
  create index delivery_by_time_index on delivery (connection_id, is_test, occurred_at, conversion_id)
      where coalesce(conversion_id, 0) > 0;
  create unique index delivery_client_id_connection_id_unique on delivery (client_id, connection_id)
      where client_id is not null;
  -- those that ended without success, or with a note: few
  create index delivery_ended_index on delivery (account_id, connection_id, id) where undelivered is not null
      or note is not null;
  create index delivery_listed_index on delivery (account_id, id);
  create index delivery_undelivered_by_time_index on delivery (connection_id, is_test, undelivered, occurred_at,
      conversion_id) where undelivered is not null and coalesce(conversion_id, 0) > 0;
  create unique index delivery_webhook_event_id_connection_id_unique on delivery (webhook_event_id,
      connection_id) where webhook_event_id is not null;
  create index delivery_webhook_log_index on delivery (connection_id, id) where coalesce(webhook_event_id, 0) > 0;

  -- Open deliveries are found in this small table, which stays in memory. Its rows are rewritten often, so it is vacuumed
  -- often, and without pauses.
  create table delivery_due (
    id bigserial primary key,
    account_id bigint not null,
    connection_id bigint not null,
    is_test boolean not null default false,
    delivery_ids bigint[] not null,
    phase text not null default 'waiting',
    not_before timestamptz(6) not null default now(),
    claim int not null default 0,
    claims_lost int not null default 0,
    retry_from timestamptz(6) not null default now(),
    oldest_at timestamptz(6) not null default now(),
    constraint delivery_due_phase_check check (phase in ('waiting', 'claimed'))
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
  create index delivery_due_connection_id_not_before_index on delivery_due (connection_id, not_before);
  create index delivery_due_suspect_index on delivery_due (not_before) where claims_lost >= 2;

  -- A partition a month: retention drops whole ones. The default one takes what has none.
  create table delivery_attempt (
    id bigserial,
    account_id bigint not null,
    delivery_id bigint not null,
    outcome text not null,
    reason text,
    http_status int,
    answer text,
    duration_ms int not null,
    platform_request text,
    request_position int,
    created_at timestamptz(6) not null default now(),
    primary key (id, created_at),
    constraint delivery_attempt_outcome_check check (outcome in ('delivered', 'rejected', 'unavailable', 'throttled',
        'refused', 'requeued'))
  ) partition by range (created_at);
  create index delivery_attempt_delivery_id_index on delivery_attempt (delivery_id);
  create index delivery_attempt_platform_request_index on delivery_attempt (platform_request)
      where platform_request is not null;

  create table delivery_attempt_default partition of delivery_attempt default;
  do $$
  declare month timestamp;
  begin
    for month in select date_trunc('month', now() at time zone 'utc') + ahead * interval '1 month' from generate_series(0, 3) ahead
    loop
      execute format('create table %I partition of delivery_attempt for values from (%L) to (%L)',
        'delivery_attempt_' || to_char(month, 'YYYY_MM'), month at time zone 'utc', (month + interval '1 month') at time zone 'utc');
    end loop;
  end $$;

  create table platform_request (
    id bigserial primary key,
    account_id bigint not null constraint platform_request_account_id_foreign references account,
    connection_id bigint not null,
    name text not null,
    check_at timestamptz(6),
    checks int not null default 0,
    verdict jsonb,
    created_at timestamptz(6) not null default now(),
    constraint platform_request_connection_id_name_unique unique (connection_id, name),
    constraint platform_request_connection_id_of_account_foreign foreign key (account_id,
        connection_id) references platform_connection(account_id, id)
  );
  create index platform_request_account_id_index on platform_request (account_id);
  create index platform_request_connection_id_check_at_index on platform_request (connection_id, check_at)
      where check_at is not null;

  create table platform_quota (
    name text primary key,
    day date not null,
    used int not null,
    last_slot_at timestamptz(6) not null
  );

  create table webhook_event (
    id bigserial primary key,
    account_id bigint not null,
    is_test boolean,
    type text not null,
    data jsonb not null,
    created_at timestamptz(6) not null default now(),
    constraint webhook_event_type_check check (type in ('delivery.delivered', 'delivery.failed', 'delivery.skipped',
        'connection.needs_attention', 'connection.recovered', 'import.finished', 'reconciliation.finished',
        'page.target_changed', 'webhook.test'))
  );
`;
