import { Migration } from '@mikro-orm/migrations';

/** How many rows of an import have an email as a reference. */
export class Migration20261128570000 extends Migration {
  override up(): void {
    this.addSql('alter table import add column email_references int not null default 0');
  }
}
