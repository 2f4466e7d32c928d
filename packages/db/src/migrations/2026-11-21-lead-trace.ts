import { Migration } from '@mikro-orm/migrations';

/** The trace that a visitor's request began, to be continued days later. */
export class Migration20261121230500 extends Migration {
  override up(): void {
    this.addSql('alter table lead add column trace_parent text;');
  }
}
