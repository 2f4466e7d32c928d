import { Migration } from '@mikro-orm/migrations';

/** Passkeys of people, the challenges of their sign-in, and from which device a session is. */
export class Migration20261122227000 extends Migration {
  override async up(): Promise<void> {
    await this.execute(`
      create table passkey (
        id bigserial primary key,
        person_id bigint not null constraint passkey_person_id_foreign references person,
        credential_id bytea not null constraint passkey_credential_id_unique unique,
        public_key bytea not null,
        counter bigint not null default 0,
        transports jsonb not null default '[]',
        name text not null,
        created_at timestamptz(6) not null default now(),
        used_at timestamptz(6)
      );
      create index passkey_person_id_index on passkey (person_id);
      create table sign_in_challenge (
        id bigserial primary key,
        token_hash bytea not null constraint sign_in_challenge_token_hash_unique unique,
        purpose text not null constraint sign_in_challenge_purpose_check
          check (purpose in ('add-passkey', 'sign-in', 'step-up', 'provider', 'provider-code')),
        person_id bigint constraint sign_in_challenge_person_id_foreign references person,
        details jsonb not null default '{}',
        expires_at timestamptz(6) not null
      );
      create index sign_in_challenge_expires_at_index on sign_in_challenge (expires_at);
      alter table person_session add column device text;
    `);
  }
}
