import { Migration } from '@mikro-orm/migrations';

/**
 * Erasures of people, asked for by visitors, partners, operators and the console, with their signed receipts, and the
 * public keys of the signatures.
 */
export class Migration20261123243000 extends Migration {
  override async up(): Promise<void> {
    await this.execute(`
      create table erasure (
        id text primary key,
        account_id bigint not null,
        asked_by text not null constraint erasure_asked_by_check
          check (asked_by in ('visitor', 'partner', 'operator', 'console')),
        actor text not null,
        is_test boolean not null default false,
        named_by text not null constraint erasure_named_by_check check (named_by in ('email', 'lead', 'reference')),
        subject bytea,
        state text not null default 'pending'
          constraint erasure_state_check check (state in ('pending', 'done', 'failed')),
        failures int not null default 0,
        due_at timestamptz(6) not null default now(),
        requested_at timestamptz(6) not null default now(),
        finished_at timestamptz(6),
        receipt text,
        signature text,
        key_id text
      );
      create index erasure_due_index on erasure (due_at) where state = 'pending';
      create index erasure_listed_index on erasure (account_id, requested_at, id);
      create table receipt_key (
        id text primary key,
        public_key bytea not null,
        created_at timestamptz(6) not null default now()
      );
    `);
  }
}
