import { Migration } from '@mikro-orm/migrations';

/** When a platform last replaced the refresh token of a connection. */
export class Migration202611285590000 extends Migration {
  override up(): void {
    this.addSql('alter table platform_connection add column credentials_renewed_at timestamptz(6)');
  }
}
