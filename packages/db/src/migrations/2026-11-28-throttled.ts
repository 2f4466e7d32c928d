import { Migration } from '@mikro-orm/migrations';

/** How often a platform throttled a delivery: its back-off counts apart from that of attempts. */
export class Migration20261128810000 extends Migration {
  override up(): void {
    this.addSql('alter table feedback add column throttled int not null default 0');
  }
}
