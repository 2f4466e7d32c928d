import { Migration } from '@mikro-orm/migrations';

/** As whom an identity provider knows a person of the console. */
export class Migration20261128400000 extends Migration {
  override up(): void {
    this.addSql(`
      create table person_identity (
        id bigserial primary key,
        person_id bigint not null constraint person_identity_person_id_foreign references person,
        issuer text not null,
        subject text not null,
        created_at timestamptz(6) not null default now(),
        constraint person_identity_issuer_subject_unique unique (issuer, subject),
        constraint person_identity_person_id_issuer_unique unique (person_id, issuer)
      )`);
  }
}
