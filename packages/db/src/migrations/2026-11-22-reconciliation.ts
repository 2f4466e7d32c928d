import { Migration } from '@mikro-orm/migrations';

/**
 * Lists of partners and how they compare with the registered conversions. Rows have no foreign keys, whose checks would
 * cost as much as the rows; a row that is compared changes indexed columns, so each page has room for its next version.
 * Each index fits the conditions of one kind of query alone, so that no plan reads a list by another one.
 */
export class Migration20261122170000 extends Migration {
  override up(): void {
    this.addSql(`
      create table reconciliation (
        id bigserial primary key,
        account_id bigint not null constraint reconciliation_account_id_foreign references account,
        is_test boolean not null default false,
        from_at timestamptz(6) not null,
        until_at timestamptz(6) not null,
        step text default 'receive'
          constraint reconciliation_step_check check (step in ('receive', 'compare', 'extra', 'replay')),
        rows int not null default 0,
        compared int not null default 0,
        counts jsonb not null default '{}',
        walked_at timestamptz(6) not null,
        walked_id bigint not null default 0,
        replay jsonb,
        worked_at timestamptz(6) not null default clock_timestamp(),
        created_at timestamptz(6) not null default now(),
        finished_at timestamptz(6)
      );
      create index reconciliation_open_index on reconciliation (worked_at) where step <> 'receive';
      create index reconciliation_received_index on reconciliation (worked_at) where step = 'receive';

      create table reconciliation_row (
        reconciliation_id bigint not null,
        number int not null,
        account_id bigint not null,
        is_refused boolean not null default false,
        external_reference text,
        amount numeric(12, 2),
        currency text,
        client_external_reference text,
        email_key text,
        occurred_at timestamptz(6),
        outcome text,
        conversion_id bigint,
        undelivered text[] not null default '{}',
        undelivered_in bigint,
        message text,
        primary key (reconciliation_id, number)
      ) with (fillfactor = 60);
      create index reconciliation_row_reference_index
        on reconciliation_row ((reconciliation_id + 0), external_reference, is_refused, number);
      create index reconciliation_row_outcome_index on reconciliation_row (outcome, (reconciliation_id + 0), number);
      create index reconciliation_row_undelivered_index on reconciliation_row (undelivered_in, number)
        where undelivered_in is not null;
      create index reconciliation_row_email_key_index on reconciliation_row (account_id, email_key)
        where email_key is not null;
      create index reconciliation_row_client_index on reconciliation_row (account_id, client_external_reference)
        where client_external_reference is not null;
    `);
  }
}
