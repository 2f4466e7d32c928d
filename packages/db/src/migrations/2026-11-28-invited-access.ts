import { Migration } from '@mikro-orm/migrations';

/** Role and accounts travel in the invitation, which changes nothing until it is accepted. */
export class Migration20261128510000 extends Migration {
  override up(): void {
    this.addSql('alter table invitation add column access jsonb');
  }
}
