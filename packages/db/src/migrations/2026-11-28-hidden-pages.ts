import { Migration } from '@mikro-orm/migrations';

/** Accounts whose pages nobody sees. */
export class Migration20261128720000 extends Migration {
  override up(): void {
    this.addSql('alter table account add column hides_pages boolean not null default false');
    this.addSql('alter table landing_page add column is_hidden boolean not null default false');
  }
}
