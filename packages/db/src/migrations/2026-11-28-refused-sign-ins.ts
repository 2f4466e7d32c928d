import { Migration } from '@mikro-orm/migrations';

/** What was refused to a person within an hour, and wrong codes with the right password of which the person is told. */
export class Migration20261128550000 extends Migration {
  override up(): void {
    this.addSql(`alter table person
      add column refused_since timestamptz, add column refused jsonb not null default '{}',
      add column guessed_codes int not null default 0, add column guessed_since timestamptz`);
    this.addSql('create index person_refused_index on person (refused_since) where refused_since is not null');
  }
}
