/** People of the console, what they did and what they started. */
export const people = `
  create table person (
    id bigserial primary key,
    email text not null constraint person_email_unique unique,
    role text not null,
    password_hash text,
    second_factor bytea,
    code_step bigint not null default 0,
    wrong_codes int not null default 0,
    locked_until timestamptz(6),
    wrong_link_codes int not null default 0,
    link_locked_until timestamptz(6),
    disabled_at timestamptz(6),
    created_at timestamptz(6) not null default now(),
    seen_at timestamptz(6),
    refused_since timestamptz,
    refused jsonb not null default '{}',
    guessed_codes int not null default 0,
    guessed_since timestamptz,
    constraint person_role_check check (role in ('admin', 'operator', 'marketer', 'partner-admin', 'partner-viewer'))
  );
  create index person_refused_index on person (refused_since) where refused_since is not null;

  create table person_identity (
    id bigserial primary key,
    person_id bigint not null constraint person_identity_person_id_foreign references person,
    issuer text not null,
    subject text not null,
    created_at timestamptz(6) not null default now(),
    constraint person_identity_issuer_subject_unique unique (issuer, subject),
    constraint person_identity_person_id_issuer_unique unique (person_id, issuer)
  );

  create table invitation (
    id bigserial primary key,
    person_id bigint not null constraint invitation_person_id_foreign references person constraint invitation_person_id_unique unique,
    token_hash bytea not null constraint invitation_token_hash_unique unique,
    expires_at timestamptz(6) not null,
    used_at timestamptz(6),
    password_hash text,
    second_factor bytea,
    wrong_codes int not null default 0,
    created_at timestamptz(6) not null default now(),
    access jsonb
  );

  create table membership (
    person_id bigint not null constraint membership_person_id_foreign references person,
    account_id bigint not null constraint membership_account_id_foreign references account,
    primary key (person_id, account_id)
  );

  create table person_session (
    id bigserial primary key,
    person_id bigint not null constraint person_session_person_id_foreign references person,
    token_hash bytea not null constraint person_session_token_hash_unique unique,
    stepped_up_at timestamptz(6) not null default now(),
    seen_at timestamptz(6) not null default now(),
    expires_at timestamptz(6) not null,
    created_at timestamptz(6) not null default now(),
    device text
  );
  create index person_session_person_id_index on person_session (person_id);

  create table passkey (
    id bigserial primary key,
    person_id bigint not null constraint passkey_person_id_foreign references person,
    credential_id bytea not null constraint passkey_credential_id_unique unique,
    public_key bytea not null,
    counter bigint not null default 0,
    transports jsonb not null default '[]',
    name text not null,
    created_at timestamptz(6) not null default now(),
    used_at timestamptz(6)
  );
  create index passkey_person_id_index on passkey (person_id);

  create table sign_in_challenge (
    id bigserial primary key,
    token_hash bytea not null constraint sign_in_challenge_token_hash_unique unique,
    purpose text not null,
    person_id bigint constraint sign_in_challenge_person_id_foreign references person,
    details jsonb not null default '{}',
    expires_at timestamptz(6) not null,
    constraint sign_in_challenge_purpose_check check (purpose in ('add-passkey', 'sign-in', 'step-up', 'provider',
        'provider-code'))
  );
  create index sign_in_challenge_expires_at_index on sign_in_challenge (expires_at);

  create table audit_entry (
    id bigserial primary key,
    at timestamptz(6) not null default now(),
    actor text not null,
    action text not null,
    account_id bigint,
    target text not null,
    details jsonb not null default '{}'
  );
  create index audit_entry_account_id_at_id_index on audit_entry (account_id, at, id);
  create index audit_entry_at_id_index on audit_entry (at, id);
  -- one entry for each day on which a person sees personal data of an account
  create unique index audit_entry_viewed_index on audit_entry (account_id, actor,
      date((at at time zone 'UTC'))) where action = 'person.viewed';

  create table retry_task (
    id bigserial primary key,
    account_id bigint not null constraint retry_task_account_id_foreign references account,
    started_by text not null,
    filter jsonb not null,
    state text not null default 'running',
    total int,
    done int not null default 0,
    delivery_ids bigint[] not null default '{}',
    cursor jsonb not null,
    message text,
    failures int not null default 0,
    due_at timestamptz(6) not null default clock_timestamp(),
    created_at timestamptz(6) not null default now(),
    finished_at timestamptz(6),
    constraint retry_task_state_check check (state in ('running', 'done', 'failed'))
  );
  create index retry_task_account_id_id_index on retry_task (account_id, id);
  create index retry_task_open_index on retry_task (due_at) where state = 'running';

  -- An app that was taken over may not act in the audit log as somebody else. An api acts with a key, or completes an erasure
  -- that somebody asked for.
  create function own_actor() returns trigger language plpgsql as $$
      begin
        if new.actor = 'leadback' then return new; end if;
        if current_user = 'leadback_api' and (
          new.actor ~ '^key [0-9]+$'
          or new.action = 'client.erase' and exists (
            select from erasure
            where 'erasure ' || id = new.target and account_id = new.account_id and actor = new.actor))
        then
          return new;
        end if;
        raise insufficient_privilege using message = format('%I may not act as another', current_user);
      end $$;

  create trigger own_actor before insert on audit_entry for each row
    when (current_user in ('leadback_landing', 'leadback_api', 'leadback_feedback_worker'))
    execute function own_actor();
`;
