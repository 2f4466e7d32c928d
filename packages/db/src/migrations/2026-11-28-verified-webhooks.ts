import { Migration } from '@mikro-orm/migrations';

/** A webhook gets events after its URL has answered a signed request; those that exist have. */
export class Migration20261128700000 extends Migration {
  override up(): void {
    this.addSql(`alter table platform_connection
      add column verify_at timestamptz, add column verify_attempts smallint not null default 0,
      add column test_delivery_id bigint`);
    this.addSql(
      'create index platform_connection_unverified_index on platform_connection (verify_at) where verify_at is not null',
    );
  }
}
