import { Migration } from '@mikro-orm/migrations';

/** Keys for trying out and the conversions they register; answers that are given again to a repeated request. */
export class Migration20261121120000 extends Migration {
  override up(): void {
    this.addSql(`
      alter table api_key add column is_test boolean not null default false;

      alter table conversion add column is_test boolean not null default false;
      alter table conversion add column test_reference text;
      alter table conversion add constraint conversion_account_id_test_reference_unique
        unique (account_id, test_reference);

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
    `);
  }
}
