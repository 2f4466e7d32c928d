import { Migration } from '@mikro-orm/migrations';

/** How large imported files are. */
export class Migration20261128730000 extends Migration {
  override up(): void {
    this.addSql('alter table import add column bytes bigint not null default 0');
  }
}
