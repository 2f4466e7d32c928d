import { Migration } from '@mikro-orm/migrations';

/** Due requests are looked up by connection. */
export class Migration20261128800000 extends Migration {
  override up(): void {
    this.addSql(`
      drop index platform_request_look_at_index;
      create index platform_request_connection_id_look_at_index on platform_request (connection_id, look_at)
        where look_at is not null;
    `);
  }
}
