import { Migration } from '@mikro-orm/migrations';

// No foreign key from a row to its import: rows are written by statements that have just read the import.
const imports = `
  create table if not exists import (
    id bigserial primary key,
    account_id bigint not null constraint import_account_id_foreign references account (id),
    is_test boolean not null,
    is_dry_run boolean not null,
    subject text not null constraint import_subject_check check (subject in ('client', 'conversion')),
    state text not null default 'uploading'
      constraint import_state_check check (state in ('uploading', 'pending', 'running', 'done', 'refused')),
    columns text[] not null,
    delimiter text not null constraint import_delimiter_check check (delimiter in (',', ';')),
    digest bytea,
    rows int not null default 0,
    done int not null default 0,
    last_line int not null default 1,
    counts jsonb not null default '{}',
    message text,
    created_at timestamptz(6) not null default now(),
    finished_at timestamptz(6)
  );
  create index if not exists import_open_index on import (id) where finished_at is null;
  create index if not exists import_account_id_id_index on import (account_id, id);
  create index if not exists import_account_id_digest_index on import (account_id, digest);

  create table if not exists import_row (
    import_id bigint not null,
    line int not null,
    cells jsonb not null,
    trial_reference text,
    outcome text,
    record_id bigint,
    message text,
    primary key (import_id, line)
  );
  create index if not exists import_row_import_id_trial_reference_index on import_row (import_id, trial_reference)
    where trial_reference is not null;
`;

/** Imports of CSV files: each file and its rows, as sent, with what became of them. */
export class Migration20261122140000 extends Migration {
  override up(): void {
    this.addSql(imports);
  }
}
