/** Files of partners and marketers: imports, and lists to compare with. */
export const files = `
  create table import (
    id bigserial primary key,
    account_id bigint not null constraint import_account_id_foreign references account,
    is_test boolean not null,
    is_dry_run boolean not null,
    subject text not null,
    state text not null default 'uploading',
    columns text[] not null,
    delimiter text not null,
    reading jsonb not null default '{}',
    digest bytea,
    rows int not null default 0,
    done int not null default 0,
    last_line int not null default 1,
    counts jsonb not null default '{}',
    message text,
    created_at timestamptz(6) not null default now(),
    finished_at timestamptz(6),
    failures int not null default 0,
    due_at timestamptz(6) not null default clock_timestamp(),
    too_old jsonb not null default '{}',
    dry_run_id bigint,
    file_name text,
    created_by text,
    money jsonb not null default '{}',
    unshared int not null default 0,
    bytes bigint not null default 0,
    email_references int not null default 0,
    constraint import_delimiter_check check (delimiter in (',', ';', E'\\t', '|')),
    constraint import_state_check check (state in ('uploading', 'pending', 'running', 'done', 'refused', 'failed')),
    constraint import_subject_check check (subject in ('client', 'conversion'))
  );
  create index import_account_id_digest_index on import (account_id, digest);
  create index import_account_id_id_index on import (account_id, id);
  create index import_open_index on import (due_at) where finished_at is null;
  create index import_dry_run_id_index on import (dry_run_id) where dry_run_id is not null;

  -- Rows have no foreign key to their import: the statements that write them have just read it. The marks are hashes, by
  -- which an erasure finds the rows that may name a person; what they find is compared in full.
  create table import_row (
    import_id bigint not null,
    line int not null,
    cells jsonb not null,
    dry_run_reference text,
    outcome text,
    record_id bigint,
    message text,
    dry_run_event_id text,
    email_mark bigint,
    reference_mark bigint,
    lead_mark bigint,
    primary key (import_id, line)
  );
  create index import_row_email_mark_index on import_row (email_mark) where email_mark is not null;
  create index import_row_import_id_dry_run_event_id_index on import_row (import_id, dry_run_event_id)
      where dry_run_event_id is not null;
  create index import_row_import_id_dry_run_reference_index on import_row (import_id, dry_run_reference)
      where dry_run_reference is not null;
  create index import_row_lead_mark_index on import_row (lead_mark) where lead_mark is not null;
  create index import_row_message_index on import_row (outcome, ((import_id + 0)), line) where message is not null;
  create index import_row_record_index on import_row (record_id) where record_id is not null;
  create index import_row_reference_mark_index on import_row (reference_mark) where reference_mark is not null;

  -- How files with one header are read, as somebody chose for the account.
  create table file_choice (
    account_id bigint not null constraint file_choice_account_id_foreign references account,
    subject text not null,
    header bytea not null,
    choices jsonb not null,
    changed_at timestamptz(6) not null default now(),
    primary key (account_id, subject, header),
    constraint file_choice_subject_check check (subject in ('client', 'conversion'))
  );

  create table reconciliation (
    id bigserial primary key,
    account_id bigint not null constraint reconciliation_account_id_foreign references account,
    is_test boolean not null default false,
    from_at timestamptz(6) not null,
    until_at timestamptz(6) not null,
    step text default 'receive',
    rows int not null default 0,
    compared int not null default 0,
    counts jsonb not null default '{}',
    walked_at timestamptz(6) not null,
    walked_id bigint not null default 0,
    replay jsonb,
    due_at timestamptz(6) not null default clock_timestamp(),
    created_at timestamptz(6) not null default now(),
    finished_at timestamptz(6),
    failures int not null default 0,
    is_failed boolean not null default false,
    file_name text,
    created_by text,
    money jsonb not null default '{}',
    constraint reconciliation_step_check check (step in ('receive', 'compare', 'extra', 'replay'))
  );
  create index reconciliation_account_id_id_index on reconciliation (account_id, id);
  create index reconciliation_open_index on reconciliation (due_at) where step is not null;

  -- A row that is compared changes indexed columns, so each page has room for its next version. Each index fits the
  -- conditions of one kind of query alone, so that no plan reads a list by another one.
  create table reconciliation_row (
    reconciliation_id bigint not null,
    number int not null,
    account_id bigint not null,
    is_refused boolean not null default false,
    external_reference text,
    amount numeric,
    currency text,
    client_external_reference text,
    email_hash text,
    occurred_at timestamptz(6),
    outcome text,
    conversion_id bigint,
    undelivered text[] not null default '{}',
    undelivered_in bigint,
    message text,
    contact bytea,
    primary key (reconciliation_id, number)
  ) with (fillfactor = 60);
  create index reconciliation_row_client_index on reconciliation_row (account_id, client_external_reference)
      where client_external_reference is not null;
  create index reconciliation_row_email_hash_index on reconciliation_row (account_id, email_hash)
      where email_hash is not null;
  create index reconciliation_row_outcome_index on reconciliation_row (outcome, ((reconciliation_id + 0)), number);
  create index reconciliation_row_reference_index on reconciliation_row (((reconciliation_id + 0)),
      external_reference, is_refused, number);
  create index reconciliation_row_undelivered_index on reconciliation_row (undelivered_in, number)
      where undelivered_in is not null;

  create function import_mark(account_id bigint, kind text, value text) returns bigint language sql immutable RETURN hashtextextended(concat((account_id)::text, ' ', kind, ' ', value), (0)::bigint);

  -- A cell as it is read: without format characters (Unicode Cf) and white space at its ends, as \`cleaned\` in the domain.
  create function cleaned(cell text) returns text language sql immutable strict parallel safe RETURN btrim(
    regexp_replace(cell, U&'[\\00AD\\0600-\\0605\\061C\\06DD\\070F\\0890\\0891\\08E2\\180E\\200B-\\200F\\202A-\\202E\\2060-\\2064\\2066-\\206F\\FEFF\\FFF9-\\FFFB\\+0110BD\\+0110CD\\+013430-\\+01343F\\+01BCA0-\\+01BCA3\\+01D173-\\+01D17A\\+0E0001\\+0E0020-\\+0E007F]', '', 'g'),
    U&' \\0009\\000A\\000B\\000C\\000D\\00A0\\1680\\2000\\2001\\2002\\2003\\2004\\2005\\2006\\2007\\2008\\2009\\200A\\2028\\2029\\202F\\205F\\3000');

  -- As \`leadReferenceSchema\` in the domain.
  create function lead_reference_in(cell text) returns text language sql immutable strict parallel safe RETURN coalesce(
    substring(cell from '(?i)serviceId=([0-9A-Za-z]{22})(?![0-9A-Za-z])'),
    substring(cell from '(?<![0-9A-Za-z])([0-9A-Za-z]{22})(?![0-9A-Za-z])'), cell);

  -- An email that only JavaScript can compare, with letters beyond ASCII or more than one address, has one mark for all.
  create function mark_import_row() returns trigger language plpgsql as $$
      declare
        about record;
        email text;
        reference text;
        lead_reference text;
      begin
        -- a copy of a row has its marks already, and its import comes later
        select account_id, subject, columns into about from import where id = new.import_id;
        if not found then return new; end if;
        email := lower(cleaned(new.cells ->> (array_position(about.columns, 'email') - 1)));
        reference := cleaned(new.cells ->> (array_position(about.columns,
          case about.subject when 'client' then 'externalReference' else 'clientExternalReference' end) - 1));
        lead_reference := lead_reference_in(cleaned(new.cells ->> (array_position(about.columns, 'leadReference') - 1)));
        new.email_mark := case
          when email ~ '[^ -~]|[,;<>:]' then import_mark(about.account_id, 'unusual', 'email')
          when email <> '' then import_mark(about.account_id, 'email', email) end;
        new.reference_mark := case when reference <> '' then import_mark(about.account_id, 'reference', reference) end;
        new.lead_mark := case when lead_reference <> '' then import_mark(about.account_id, 'lead', lead_reference) end;
        return new;
      end $$;

  create trigger mark_import_row before insert or update of cells on import_row for each row
    execute function mark_import_row();
`;
