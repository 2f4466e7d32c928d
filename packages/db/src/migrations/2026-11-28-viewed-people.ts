import { Migration } from '@mikro-orm/migrations';

/** One entry for each day on which a person sees personal data of an account. */
export class Migration20261128560000 extends Migration {
  override up(): void {
    this.addSql(`create unique index audit_entry_viewed_index on audit_entry
      (account_id, actor, (date(at at time zone 'UTC'))) where action = 'person.viewed'`);
  }
}
